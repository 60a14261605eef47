package dev.toolgate.mcp.relay;

import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.protocol.McpMethods;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.node.ObjectNode;

/** What a client has set up in its session, and the server forgets with it: the log level and subscriptions. */
final class SessionSetup {
    private static final Logger LOG = LoggerFactory.getLogger(SessionSetup.class);

    /** A request to repeat in another session. */
    record Step(String method, ObjectNode params) {}

    private final int maxSubscriptions;
    private final Map<String, Step> subscriptions = new LinkedHashMap<>();
    private @Nullable Step logLevel;

    /**
     * @param maxSubscriptions how many are remembered
     */
    SessionSetup(int maxSubscriptions) {
        this.maxSubscriptions = maxSubscriptions;
    }

    /** Remembers what a request has set up, if the server accepted it. */
    synchronized void learn(RpcMessage.Request request, RpcMessage.Response answer) {
        ObjectNode params = request.params();
        if (!(answer instanceof RpcMessage.Result) || params == null) {
            return;
        }
        Step step = new Step(request.method(), params);
        String uri = params.path("uri").asString("");
        switch (request.method()) {
            case McpMethods.SET_LOG_LEVEL -> logLevel = step;
            case McpMethods.RESOURCES_UNSUBSCRIBE -> subscriptions.remove(uri);
            case McpMethods.RESOURCES_SUBSCRIBE -> {
                if (subscriptions.size() < maxSubscriptions || subscriptions.containsKey(uri)) {
                    subscriptions.put(uri, step);
                } else {
                    LOG.warn("A subscription beyond {} is lost when the server loses its session", maxSubscriptions);
                }
            }
            default -> {}
        }
    }

    /** A new session of the client's own has nothing of the last. */
    synchronized void clear() {
        logLevel = null;
        subscriptions.clear();
    }

    /** The requests that set up another session equally. */
    synchronized List<Step> steps() {
        List<Step> steps = new ArrayList<>(subscriptions.size() + 1);
        if (logLevel != null) {
            steps.add(logLevel);
        }
        steps.addAll(subscriptions.values());
        return steps;
    }
}
