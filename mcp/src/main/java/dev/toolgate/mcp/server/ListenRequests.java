package dev.toolgate.mcp.server;

import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.protocol.McpMethods;
import dev.toolgate.mcp.protocol.TaskState;
import dev.toolgate.mcp.server.offer.OfferedResources;
import dev.toolgate.mcp.server.offer.OfferedTasks;
import dev.toolgate.mcp.server.offer.ResourceSubscription;
import dev.toolgate.mcp.server.offer.ServerOffer;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Handles {@code subscriptions/listen}: grants the part of the filter that the client may see, and acknowledges it. */
final class ListenRequests {
    private static final String TOOLS = "toolsListChanged";
    private static final String PROMPTS = "promptsListChanged";
    private static final String RESOURCES = "resourcesListChanged";
    private static final String URIS = "resourceSubscriptions";
    private static final String TASKS = "taskIds";

    private final ServerOffer offer;
    private final Subscriptions subscriptions;
    private final EngineSettings settings;

    ListenRequests(ServerOffer offer, Subscriptions subscriptions, EngineSettings settings) {
        this.offer = offer;
        this.subscriptions = subscriptions;
        this.settings = settings;
    }

    @Nullable
    Subscription open(RunningRequest request) throws InterruptedException {
        StreamResources held = new StreamResources();
        Subscription opened = null;
        try {
            opened = open(request, held);
            return opened;
        } finally {
            if (opened == null) {
                held.close();
            }
        }
    }

    private @Nullable Subscription open(RunningRequest request, StreamResources held) throws InterruptedException {
        ObjectNode asked = request.params().object("notifications");
        boolean tools = asked.path(TOOLS).asBoolean(false);
        boolean prompts = offer.prompts() != null && asked.path(PROMPTS).asBoolean(false);
        boolean resources = offer.resources() != null && asked.path(RESOURCES).asBoolean(false);
        Map<String, TaskState> tasks = tasks(request, texts(asked, TASKS));
        Set<String> uris = uris(request, texts(asked, URIS), held);
        Predicate<ServerChange> wanted = change -> switch (change) {
            case ServerChange.ToolsChanged _ -> tools;
            case ServerChange.PromptsChanged _ -> prompts;
            case ServerChange.ResourcesChanged _ -> resources;
            case ServerChange.ResourceUpdated updated -> uris.contains(updated.uri());
            case ServerChange.TaskChanged changed ->
                tasks.containsKey(changed.task().id());
        };
        ObjectNode params = JsonNodeFactory.instance.objectNode();
        ObjectNode agreed = params.putObject("notifications");
        putTrue(agreed, TOOLS, tools);
        putTrue(agreed, PROMPTS, prompts);
        putTrue(agreed, RESOURCES, resources);
        putAll(agreed, URIS, uris);
        putAll(agreed, TASKS, tasks.keySet());
        return begin(request, wanted, held, new RpcMessage.Notification(McpMethods.LISTENING, params), tasks);
    }

    private @Nullable Subscription begin(
            RunningRequest request,
            Predicate<ServerChange> wanted,
            StreamResources held,
            RpcMessage.Notification acknowledgement,
            Map<String, TaskState> tasks) {
        Subscription subscription =
                subscriptions.open(request.revision(), request.id(), request.caller(), wanted, held, acknowledgement);
        OfferedTasks offered = offer.tasks();
        if (subscription != null && offered != null) {
            new FollowedTasks(offered, request, subscription, tasks).start();
        }
        return subscription;
    }

    private Set<String> uris(RunningRequest request, Set<String> asked, StreamResources held)
            throws InterruptedException {
        Set<String> agreed = new LinkedHashSet<>();
        OfferedResources resources = offer.resources();
        if (resources != null) {
            for (String uri : asked) {
                ResourceSubscription subscription = resources.subscribe(request.caller(), uri);
                if (subscription != null) {
                    held.hold(uri, subscription);
                    agreed.add(uri);
                }
            }
        }
        return agreed;
    }

    private Map<String, TaskState> tasks(RunningRequest request, Set<String> asked) throws InterruptedException {
        Map<String, TaskState> agreed = new LinkedHashMap<>();
        OfferedTasks tasks = offer.tasks();
        if (tasks != null && !asked.isEmpty()) {
            TaskMethods.requireDeclared(request);
            // Unknown ones count too: a query for each of a thousand would let one request flood the database.
            for (String id : asked.stream().limit(FollowedTasks.MAX_TASKS).toList()) {
                TaskState task = tasks.get(request, id);
                if (task != null) {
                    agreed.put(id, task);
                }
            }
        }
        return agreed;
    }

    private Set<String> texts(ObjectNode asked, String field) {
        Set<String> texts = new LinkedHashSet<>();
        for (JsonNode each : asked.path(field)) {
            if (!each.isString()
                    || each.stringValue().length() > RequestParams.MAX_URI_LENGTH
                    || texts.size() == settings.maxSubscribed()) {
                throw RpcErrorCode.INVALID_PARAMS.exception("The parameter notifications." + field
                        + " must be a list of at most " + settings.maxSubscribed() + " strings of at most "
                        + RequestParams.MAX_URI_LENGTH + " characters.");
            }
            texts.add(each.stringValue());
        }
        return texts;
    }

    private static void putTrue(ObjectNode agreed, String field, boolean isAgreed) {
        if (isAgreed) {
            agreed.put(field, true);
        }
    }

    private static void putAll(ObjectNode agreed, String field, Set<String> texts) {
        if (!texts.isEmpty()) {
            ArrayNode list = agreed.putArray(field);
            texts.forEach(list::add);
        }
    }
}
