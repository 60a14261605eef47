package dev.toolgate.server.door.mcp;

import dev.toolgate.core.tool.PromptSource;
import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.jsonrpc.RpcException;
import dev.toolgate.mcp.server.offer.CacheHint;
import dev.toolgate.mcp.server.offer.CallOutcome;
import dev.toolgate.mcp.server.offer.InputAnswers;
import dev.toolgate.mcp.server.offer.ListPage;
import dev.toolgate.mcp.server.offer.OfferedPrompts;
import dev.toolgate.mcp.server.offer.RequestContext;
import dev.toolgate.mcp.server.offer.ToolInvocation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Prompts of the servers behind the gate, for callers that may use the server's tool for prompts. */
final class GatePrompts implements OfferedPrompts {
    private static final CacheHint CACHE = new CacheHint(Duration.ZERO, CacheHint.Scope.PRIVATE);

    private final SourceCalls sources;
    private final ListWatch lists;

    GatePrompts(SourceCalls sources, ListWatch lists) {
        this.sources = sources;
        this.lists = lists;
    }

    /**
     * A prompt that a caller may get.
     *
     * @param name its name at its server
     */
    private record Found(PromptSource source, String name, ObjectNode listed) {}

    @Override
    public ListPage list(RequestContext context, @Nullable String cursor) throws InterruptedException {
        if (cursor != null) {
            throw RpcErrorCode.INVALID_PARAMS.exception("The cursor must come from the page before.");
        }
        McpCaller caller = McpCaller.of(context);
        GateTools.requireActing(caller);
        ArrayNode page = JsonNodeFactory.instance.arrayNode();
        visible(caller)
                .forEach((name, prompt) -> page.add(prompt.listed().deepCopy().put("name", name)));
        lists.listed(caller, ListWatch.Kind.PROMPTS, listed(caller));
        return new ListPage(page, null, CACHE);
    }

    /** What a caller sees, without connecting to servers that have not been queried yet. */
    List<ListWatch.Listed> listed(McpCaller caller) throws InterruptedException {
        return sources.listed(caller, PromptSource.class, PromptSource::known);
    }

    /**
     * Completes an argument of a prompt; null if the caller may see no such prompt.
     *
     * @param params of the request; changed to those for the server
     */
    @Nullable
    CallOutcome complete(RequestContext context, String name, ObjectNode params) throws InterruptedException {
        Found prompt = visible(McpCaller.of(context)).get(name);
        if (prompt == null) {
            return null;
        }
        params.withObjectProperty("ref").put("name", prompt.name());
        return sources.complete(context, prompt.source(), params, () -> unknown(name));
    }

    private Map<String, Found> visible(McpCaller caller) throws InterruptedException {
        Map<String, Found> byName = new TreeMap<>();
        for (PromptSource source : sources.visible(caller, PromptSource.class)) {
            for (ObjectNode listed : source.prompts()) {
                String name = listed.path("name").asString("");
                byName.putIfAbsent(ExposedName.of(source.nameOf(name)), new Found(source, name, listed));
            }
        }
        return byName;
    }

    @Override
    public CallOutcome get(RequestContext context, String name, ObjectNode arguments, InputAnswers answers)
            throws InterruptedException {
        McpCaller caller = McpCaller.of(context);
        GateTools.requireActing(caller);
        ToolInvocation asked = new ToolInvocation(name, arguments, answers, null);
        CallOutcome resumed = sources.resume(context, asked);
        if (resumed != null) {
            return resumed;
        }
        Found prompt = visible(caller).get(name);
        if (prompt == null) {
            CallOutcome collected =
                    sources.collect(context, asked, possible(caller, name, arguments), () -> unknown(name));
            if (collected != null) {
                return collected;
            }
            sources.refused(context, name);
            throw unknown(name);
        }
        return sources.call(context, asked, prompt.source(), params(prompt.name(), arguments), () -> unknown(name));
    }

    private static ObjectNode params(String name, ObjectNode arguments) {
        ObjectNode params = JsonNodeFactory.instance.objectNode().put("name", name);
        params.set("arguments", arguments);
        return params;
    }

    /** The requests that a request for a prompt may have become, one per server and without asking any. */
    private List<SourceCalls.SourceRequest> possible(McpCaller caller, String name, ObjectNode arguments)
            throws InterruptedException {
        List<SourceCalls.SourceRequest> possible = new ArrayList<>();
        for (PromptSource source : sources.all(caller, PromptSource.class)) {
            possible.add(new SourceCalls.SourceRequest(source, params(ownName(source, name), arguments)));
        }
        return possible;
    }

    // Takes as long for a server that has no such prompt, whose request then repeats none.
    private static String ownName(PromptSource source, String name) throws InterruptedException {
        String canonical = ExposedName.canonical(name);
        String prefix = source.nameOf("");
        String own = canonical != null && canonical.startsWith(prefix) ? canonical.substring(prefix.length()) : name;
        for (ObjectNode listed : source.known()) {
            String known = listed.path("name").asString("");
            if (ExposedName.of(source.nameOf(known)).equals(name)) {
                own = known;
            }
        }
        return own;
    }

    private static RpcException unknown(String name) {
        return RpcErrorCode.INVALID_PARAMS.exception("Unknown prompt: " + GateTools.shown(name));
    }
}
