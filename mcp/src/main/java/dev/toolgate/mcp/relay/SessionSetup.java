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
    private int firstSession;

    /**
     * @param maxSubscriptions how many are remembered
     */
    SessionSetup(int maxSubscriptions) {
        this.maxSubscriptions = maxSubscriptions;
    }

    /**
     * Remembers what a request has set up, if the server accepted it.
     *
     * @param session the number of the session that the request belonged to
     * @return what to repeat in other sessions; null if the request has set up nothing
     */
    synchronized @Nullable Step learn(RpcMessage.Request request, RpcMessage.Response answer, int session) {
        ObjectNode params = request.params();
        if (!(answer instanceof RpcMessage.Result) || params == null || session < firstSession) {
            return null;
        }
        Step step = new Step(request.method(), params);
        String uri = params.path("uri").asString("");
        return switch (request.method()) {
            case McpMethods.SET_LOG_LEVEL -> {
                logLevel = step;
                yield step;
            }
            case McpMethods.RESOURCES_UNSUBSCRIBE -> {
                subscriptions.remove(uri);
                yield null;
            }
            case McpMethods.RESOURCES_SUBSCRIBE -> {
                if (subscriptions.size() >= maxSubscriptions && !subscriptions.containsKey(uri)) {
                    LOG.warn("A subscription beyond {} is lost when the server loses its session", maxSubscriptions);
                    yield null;
                }
                subscriptions.put(uri, step);
                yield step;
            }
            default -> null;
        };
    }

    /**
     * A new session of the client's own has nothing of the last.
     *
     * @param session its number
     */
    synchronized void clear(int session) {
        firstSession = session;
        logLevel = null;
        subscriptions.clear();
    }

    /** Whether the client has not replaced or ended in the meantime what a step sets up. */
    synchronized boolean isWanted(Step step) {
        return step.equals(logLevel)
                || step.equals(subscriptions.get(step.params().path("uri").asString("")));
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
