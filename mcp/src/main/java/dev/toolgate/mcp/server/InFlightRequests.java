package dev.toolgate.mcp.server;

import dev.toolgate.mcp.jsonrpc.RpcId;
import dev.toolgate.mcp.server.offer.CancelSignal;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The running requests, which can be cancelled by their id. */
final class InFlightRequests {
    private record Key(String scope, RpcId id) {}

    private final ConcurrentMap<Key, CancelSignal> running = new ConcurrentHashMap<>();

    /** Adds a request; false if one with its id is still running. */
    boolean add(String scope, RpcId id, CancelSignal signal) {
        return running.putIfAbsent(new Key(scope, id), signal) == null;
    }

    void remove(String scope, RpcId id) {
        running.remove(new Key(scope, id));
    }

    /** Cancels a request; false if it is not running here. */
    boolean cancel(String scope, RpcId id, String reason) {
        CancelSignal signal = running.get(new Key(scope, id));
        if (signal != null) {
            signal.cancel(reason);
        }
        return signal != null;
    }

    /** Cancels all requests of a session or connection. */
    void cancelAll(String scope, String reason) {
        running.forEach((key, signal) -> {
            if (key.scope().equals(scope)) {
                signal.cancel(reason);
            }
        });
    }
}
