package dev.toolgate.server.door.mcp;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.mcp.server.offer.ResourceSubscription;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * How many resources of a server a caller is subscribed to, over all its sessions and streams: a server has a limit for
 * all callers, which one of them must not use up.
 */
final class SubscriptionShares {
    static final int MAX_RESOURCES = 100;

    private final Map<Share, Map<String, Integer>> subscribed = new HashMap<>(); // guarded by this

    private record Share(TenantId tenant, String principal, String agent, String source) {
        static Share of(McpCaller caller, String source) {
            return new Share(caller.tenant(), caller.principal().name(), String.valueOf(caller.named()), source);
        }
    }

    /** Opens a subscription. */
    @FunctionalInterface
    interface Opening {
        @Nullable
        ResourceSubscription open();
    }

    /** Opens a subscription within the share of a caller; null if it is used up or the subscription is not possible. */
    @Nullable
    ResourceSubscription open(McpCaller caller, String source, String uri, Opening opening) {
        Share share = Share.of(caller, source);
        if (!take(share, uri)) {
            return null;
        }
        ResourceSubscription opened = null;
        try {
            opened = opening.open();
        } finally {
            if (opened == null) {
                release(share, uri);
            }
        }
        return opened == null ? null : releasing(share, uri, opened);
    }

    private ResourceSubscription releasing(Share share, String uri, ResourceSubscription opened) {
        AtomicBoolean closed = new AtomicBoolean();
        return () -> {
            if (closed.compareAndSet(false, true)) {
                opened.close();
                release(share, uri);
            }
        };
    }

    private synchronized boolean take(Share share, String uri) {
        Map<String, Integer> uris = subscribed.computeIfAbsent(share, _ -> new HashMap<>());
        if (!uris.containsKey(uri) && uris.size() >= MAX_RESOURCES) {
            return false;
        }
        uris.merge(uri, 1, Integer::sum);
        return true;
    }

    private synchronized void release(Share share, String uri) {
        Map<String, Integer> uris = subscribed.get(share);
        if (uris != null) {
            uris.computeIfPresent(uri, (_, times) -> times == 1 ? null : times - 1);
            if (uris.isEmpty()) {
                subscribed.remove(share);
            }
        }
    }
}
