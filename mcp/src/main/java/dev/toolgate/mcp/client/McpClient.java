package dev.toolgate.mcp.client;

import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.mcp.client.transport.McpTransport;
import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.protocol.HeaderParameters;
import dev.toolgate.mcp.protocol.McpMethods;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * A connection to one MCP server of either era. Calls block the calling thread, preferably a virtual one. Thread-safe;
 * a call that fails or hangs does not affect the others. Results are returned as the server sent them.
 */
public final class McpClient implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(McpClient.class);

    private final McpConnection connection;
    private final ClientSettings settings;
    private final ToolIndex tools = new ToolIndex();
    private final Set<McpSubscription> subscriptions = ConcurrentHashMap.newKeySet();

    private McpClient(McpConnection connection, ClientSettings settings) {
        this.connection = connection;
        this.settings = settings;
    }

    /**
     * Connects to a server: detects its era and negotiates a revision. The client owns the transport from now on, even
     * if this fails.
     */
    public static McpClient connect(McpTransport transport, ClientSettings settings) throws McpFailure {
        McpConnection connection = new McpConnection(transport, settings);
        try {
            connection.open();
            return new McpClient(connection, settings);
        } catch (McpFailure | RuntimeException failed) {
            connection.close();
            throw failed;
        }
    }

    /** The negotiated revision and the server's description of itself. */
    public ServerDescription server() {
        return connection.server();
    }

    ClientLimits limits() {
        return settings.limits();
    }

    /** Lists the tools that can be used. */
    public ToolList listTools(CallOptions options) throws McpFailure {
        List<ObjectNode> listed = list(McpMethods.TOOLS_LIST, "tools", options);
        boolean mirrors = connection.hasStreamPerRequest() && server().era() == Era.MODERN;
        ToolList sorted = tools.sort(listed, mirrors ? ToolIndex.Mirroring.ON : ToolIndex.Mirroring.OFF);
        if (!sorted.invalid().isEmpty()) {
            ToolList.InvalidTool first = sorted.invalid().getFirst();
            log.warn(
                    "{} tools of the server are left out, the first, '{}', because {}",
                    sorted.invalid().size(),
                    printable(first.name()),
                    first.reason());
        }
        return sorted;
    }

    public List<ObjectNode> listResources(CallOptions options) throws McpFailure {
        return list(McpMethods.RESOURCES_LIST, "resources", options);
    }

    public List<ObjectNode> listResourceTemplates(CallOptions options) throws McpFailure {
        return list(McpMethods.RESOURCE_TEMPLATES_LIST, "resourceTemplates", options);
    }

    public List<ObjectNode> listPrompts(CallOptions options) throws McpFailure {
        return list(McpMethods.PROMPTS_LIST, "prompts", options);
    }

    private List<ObjectNode> list(String method, String field, CallOptions options) throws McpFailure {
        return new PagedList(field, settings.limits()).read(params -> {
            McpConnection.ActiveCall call = connection.exchange(method, params, null, options, List.of());
            return new PagedList.Page(complete(call.result()), call.answerBytes());
        });
    }

    /**
     * Calls a tool and waits for its result, through any rounds of input and tasks.
     *
     * @param arguments sent unchanged
     */
    public ObjectNode callTool(String name, ObjectNode arguments, CallOptions options) throws McpFailure {
        ObjectNode params = JsonNodeFactory.instance.objectNode();
        params.put("name", name);
        params.set("arguments", arguments);
        return run(McpMethods.TOOLS_CALL, params, options);
    }

    public ObjectNode readResource(String uri, CallOptions options) throws McpFailure {
        return run(
                McpMethods.RESOURCES_READ, JsonNodeFactory.instance.objectNode().put("uri", uri), options);
    }

    /** Gets a prompt; its arguments are strings. */
    public ObjectNode getPrompt(String name, ObjectNode arguments, CallOptions options) throws McpFailure {
        ObjectNode params = JsonNodeFactory.instance.objectNode();
        params.put("name", name);
        params.set("arguments", arguments);
        return run(McpMethods.PROMPTS_GET, params, options);
    }

    /** Asks for completions of an argument of a prompt or a resource template. */
    public ObjectNode complete(ObjectNode params, CallOptions options) throws McpFailure {
        return run(McpMethods.COMPLETE, params, options);
    }

    /** Checks that the server answers. */
    public void ping(CallOptions options) throws McpFailure {
        request(server().era() == Era.LEGACY ? McpMethods.PING : McpMethods.DISCOVER, null, options);
    }

    /**
     * Sends one request and returns its result of any type; {@code input_required} and {@code task} are left to the
     * caller. For relaying requests.
     */
    public ObjectNode request(String method, @Nullable ObjectNode params, CallOptions options) throws McpFailure {
        return exchange(method, params, null, options);
    }

    /** Sends a notification to the server, for example that the list of roots has changed. */
    public void sendNotification(String method, @Nullable ObjectNode params) throws McpFailure {
        connection.send(new RpcMessage.Notification(method, params));
    }

    /**
     * Listens for changes until the subscription is closed. Servers of the legacy era send changes of their lists to
     * every client; there only the filter's resources are subscribed to, one by one.
     *
     * @param filter as in {@code subscriptions/listen}
     */
    public McpSubscription listen(ObjectNode filter) throws McpFailure {
        return listen(filter, settings.listener()::resumed);
    }

    /**
     * Like {@link #listen(ObjectNode)}.
     *
     * @param resumed called instead of {@link NotificationListener#resumed} when the stream of this subscription broke
     *     and is open again
     */
    public McpSubscription listen(ObjectNode filter, Runnable resumed) throws McpFailure {
        if (server().era() == Era.LEGACY) {
            return LegacyResourceSubscription.open(this, filter);
        }
        ListenLoop loop = new ListenLoop(this, filter, resumed);
        subscriptions.add(loop);
        Thread.ofVirtual().name("mcp-listen").start(() -> {
            loop.run();
            subscriptions.remove(loop);
        });
        return loop;
    }

    private ObjectNode run(String method, ObjectNode params, CallOptions options) throws McpFailure {
        ObjectNode first = exchange(method, params, null, options);
        try {
            return finished(method, params, first, options);
        } catch (McpFailure failed) {
            throw failed.afterAcceptance();
        }
    }

    /** The result of a request after any rounds of input and its task; the first round has been executed. */
    private ObjectNode finished(String method, ObjectNode params, ObjectNode first, CallOptions options)
            throws McpFailure {
        InputHandler input = options.input() == null ? settings.input() : options.input();
        ObjectNode result = first;
        for (int round = 1; ; round++) {
            switch (resultType(result)) {
                case "complete" -> {
                    return result;
                }
                case "input_required" -> {
                    if (round > settings.limits().maxInputRounds()) {
                        throw tooManyRounds(method);
                    }
                    result = exchange(method, params, GatheredInput.retry(result, input), options);
                }
                case "task" -> {
                    return new TaskFollower(this, input, options, connection.timeout(options)).result(result);
                }
                default -> throw unknownType();
            }
        }
    }

    private McpFailure tooManyRounds(String method) {
        return new McpFailure(
                McpFailureKind.INPUT_REFUSED,
                "The server asked for input " + (settings.limits().maxInputRounds() + 1) + " times without answering "
                        + method + ".");
    }

    private static ObjectNode complete(ObjectNode result) throws McpFailure {
        if (!resultType(result).equals("complete")) {
            throw unknownType();
        }
        return result;
    }

    private static McpFailure unknownType() {
        return new McpFailure(
                McpFailureKind.INVALID_ANSWER,
                "The server answered with a type of result that does not fit the request.");
    }

    private static String resultType(ObjectNode result) {
        return result.path("resultType").asString("complete");
    }

    /** One round trip. A call refused for missing headers was not run, so it may be retried with them. */
    private ObjectNode exchange(
            String method, @Nullable ObjectNode params, @Nullable ObjectNode more, CallOptions options)
            throws McpFailure {
        try {
            return connection
                    .exchange(method, params, more, options, mirrored(method, params))
                    .result();
        } catch (McpFailure failed) {
            if (settings.refused() == ClientSettings.RefusedRequests.FAIL
                    || !method.equals(McpMethods.TOOLS_CALL)
                    || !isHeaderMismatch(failed)) {
                throw failed;
            }
            listTools(CallOptions.DEFAULT.withTimeout(connection.timeout(options)));
            return connection
                    .exchange(method, params, more, options, mirrored(method, params))
                    .result();
        }
    }

    private List<HeaderParameters.Parameter> mirrored(String method, @Nullable ObjectNode params) {
        return method.equals(McpMethods.TOOLS_CALL) && params != null
                ? tools.mirrored(params.path("name").asString(""))
                : List.of();
    }

    private static boolean isHeaderMismatch(McpFailure failed) {
        return failed.error() != null && failed.error().code() == RpcErrorCode.HEADER_MISMATCH.code();
    }

    @Override
    public void close() {
        subscriptions.forEach(McpSubscription::close);
        connection.close();
    }

    private static String printable(String text) {
        return text.replaceAll("[^\\x20-\\x7e]", "?");
    }
}
