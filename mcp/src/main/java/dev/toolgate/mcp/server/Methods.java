package dev.toolgate.mcp.server;

import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.jsonrpc.RpcException;
import dev.toolgate.mcp.protocol.LogLevel;
import dev.toolgate.mcp.protocol.McpMethods;
import dev.toolgate.mcp.protocol.Revision;
import dev.toolgate.mcp.server.offer.CacheHint;
import dev.toolgate.mcp.server.offer.OfferedCompletions;
import dev.toolgate.mcp.server.offer.OfferedPrompts;
import dev.toolgate.mcp.server.offer.OfferedResources;
import dev.toolgate.mcp.server.offer.ResourceSubscription;
import dev.toolgate.mcp.server.offer.ServerOffer;
import dev.toolgate.mcp.server.offer.ToolInvocation;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Dispatches the methods of each era. */
final class Methods {
    private static final CacheHint DISCOVERED = new CacheHint(Duration.ofMinutes(5), CacheHint.Scope.PRIVATE);

    private final ServerOffer offer;
    private final EngineSettings settings;
    private final Subscriptions subscriptions;
    private final InputRounds rounds;
    private final @Nullable TaskMethods tasks;

    Methods(ServerOffer offer, EngineSettings settings, Subscriptions subscriptions) {
        this.offer = offer;
        this.settings = settings;
        this.subscriptions = subscriptions;
        this.rounds = new InputRounds(settings);
        this.tasks = offer.tasks() == null ? null : new TaskMethods(offer.tasks(), rounds);
    }

    /**
     * Executes a request.
     *
     * @throws RpcException to answer with an error
     */
    MethodResult call(String method, RunningRequest request) throws InterruptedException {
        return switch (request.era()) {
            case MODERN -> modern(method, request);
            case LEGACY -> legacy(method, request);
        };
    }

    private MethodResult modern(String method, RunningRequest request) throws InterruptedException {
        return switch (method) {
            case McpMethods.DISCOVER -> discover(request.revision());
            case McpMethods.TASKS_GET -> tasks(method).get(request);
            case McpMethods.TASKS_UPDATE -> tasks(method).update(request);
            case McpMethods.TASKS_CANCEL -> tasks(method).cancel(request);
            default -> shared(method, request);
        };
    }

    private MethodResult legacy(String method, RunningRequest request) throws InterruptedException {
        return switch (method) {
            case McpMethods.PING -> MethodResult.empty();
            case McpMethods.SET_LOG_LEVEL -> setLogLevel(request);
            case McpMethods.RESOURCES_SUBSCRIBE -> subscribe(request);
            case McpMethods.RESOURCES_UNSUBSCRIBE -> unsubscribe(request);
            case McpMethods.TASKS_GET -> legacyTasks(method, request).legacyGet(request);
            case McpMethods.TASKS_RESULT -> legacyTasks(method, request).legacyResult(request);
            case McpMethods.TASKS_CANCEL -> legacyTasks(method, request).legacyCancel(request);
            default -> shared(method, request);
        };
    }

    private MethodResult shared(String method, RunningRequest request) throws InterruptedException {
        RequestParams params = request.params();
        return switch (method) {
            case McpMethods.TOOLS_CALL -> callTool(request);
            case McpMethods.TOOLS_LIST ->
                MethodResult.page("tools", offer.tools().list(request, params.optionalText("cursor")));
            case McpMethods.RESOURCES_LIST ->
                MethodResult.page("resources", resources(method).list(request, params.optionalText("cursor")));
            case McpMethods.RESOURCE_TEMPLATES_LIST ->
                MethodResult.page(
                        "resourceTemplates", resources(method).templates(request, params.optionalText("cursor")));
            case McpMethods.RESOURCES_READ -> readResource(resources(method), request);
            case McpMethods.PROMPTS_LIST ->
                MethodResult.page("prompts", prompts(method).list(request, params.optionalText("cursor")));
            case McpMethods.PROMPTS_GET -> getPrompt(prompts(method), request);
            case McpMethods.COMPLETE -> complete(method, request);
            default -> throw unknown(method);
        };
    }

    private MethodResult discover(Revision revision) {
        ObjectNode result = JsonNodeFactory.instance.objectNode();
        Revision.versions().forEach(result.putArray("supportedVersions")::add);
        result.set("capabilities", offer.capabilities(revision));
        if (offer.instructions() != null) {
            result.put("instructions", offer.instructions());
        }
        return new MethodResult(result, "complete", DISCOVERED);
    }

    private MethodResult callTool(RunningRequest request) throws InterruptedException {
        RequestParams params = request.params();
        String name = params.text("name");
        ObjectNode arguments = params.object("arguments");
        Duration ttl = params.taskTtl();
        return rounds.run(
                request, answers -> offer.tools().call(request, new ToolInvocation(name, arguments, answers, ttl)));
    }

    private MethodResult readResource(OfferedResources resources, RunningRequest request) throws InterruptedException {
        String uri = request.params().text("uri");
        MethodResult read = rounds.run(request, answers -> resources.read(request, uri, answers));
        return read.type().equals("complete") ? new MethodResult(read.result(), read.type(), CacheHint.NONE) : read;
    }

    private MethodResult getPrompt(OfferedPrompts prompts, RunningRequest request) throws InterruptedException {
        String name = request.params().text("name");
        ObjectNode arguments = request.params().object("arguments");
        return rounds.run(request, answers -> prompts.get(request, name, arguments, answers));
    }

    private MethodResult complete(String method, RunningRequest request) throws InterruptedException {
        OfferedCompletions completions = offer.completions();
        if (completions == null) {
            throw unknown(method);
        }
        return MethodResult.complete(
                completions.complete(request, request.params().tree()));
    }

    private static MethodResult setLogLevel(RunningRequest request) {
        LogLevel level = LogLevel.of(request.params().text("level"));
        if (level == null) {
            throw RpcErrorCode.INVALID_PARAMS.exception("The parameter level must be a syslog severity.");
        }
        PeerSession session = session(request);
        session.update(record -> record.withLogLevel(level));
        return MethodResult.empty();
    }

    private MethodResult subscribe(RunningRequest request) throws InterruptedException {
        String uri = request.params().subscribedUri();
        PeerSession session = session(request);
        ResourceSubscription opened = resources(McpMethods.RESOURCES_SUBSCRIBE).subscribe(request.caller(), uri);
        if (opened == null) {
            throw RpcErrorCode.RESOURCE_NOT_FOUND.exception("There is no resource " + uri + ".");
        }
        boolean recorded = false;
        try {
            recordSubscription(session, uri);
            recorded = true;
        } finally {
            if (!recorded) {
                opened.close();
            }
        }
        subscriptions.hold(session, uri, opened);
        return MethodResult.empty();
    }

    private void recordSubscription(PeerSession session, String uri) {
        Set<String> subscribed = session.record().resources();
        if (subscribed.size() >= settings.maxSubscribed() && !subscribed.contains(uri)) {
            throw RpcErrorCode.INVALID_PARAMS.exception(
                    "A session may subscribe to at most " + settings.maxSubscribed() + " resources.");
        }
        session.update(record -> record.withResource(uri));
    }

    private MethodResult unsubscribe(RunningRequest request) {
        String uri = request.params().text("uri");
        resources(McpMethods.RESOURCES_UNSUBSCRIBE);
        PeerSession session = session(request);
        session.update(record -> record.withoutResource(uri));
        subscriptions.release(session, uri);
        return MethodResult.empty();
    }

    private static PeerSession session(RunningRequest request) {
        PeerSession session = request.peer().session();
        if (session == null) {
            throw new IllegalStateException("A request of the legacy era has no session.");
        }
        return session;
    }

    private OfferedResources resources(String method) {
        OfferedResources resources = offer.resources();
        if (resources == null) {
            throw unknown(method);
        }
        return resources;
    }

    private OfferedPrompts prompts(String method) {
        OfferedPrompts prompts = offer.prompts();
        if (prompts == null) {
            throw unknown(method);
        }
        return prompts;
    }

    private TaskMethods tasks(String method) {
        if (tasks == null) {
            throw unknown(method);
        }
        return tasks;
    }

    private TaskMethods legacyTasks(String method, RunningRequest request) {
        if (!request.revision().isAtLeast(Revision.R2025_11_25)) {
            throw unknown(method);
        }
        return tasks(method);
    }

    private static RpcException unknown(String method) {
        return RpcErrorCode.METHOD_NOT_FOUND.exception("There is no method " + method + " here.");
    }
}
