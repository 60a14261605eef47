package dev.toolgate.mcp.server;

import dev.toolgate.mcp.jsonrpc.RpcException;
import dev.toolgate.mcp.server.offer.OfferedResources;
import dev.toolgate.mcp.server.offer.ResourceSubscription;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Subscribes the stream of a session to what its client has subscribed to: before the stream was opened, or at another
 * instance.
 */
final class SessionResources {
    private static final Logger LOG = LoggerFactory.getLogger(SessionResources.class);

    private final OfferedResources offered;
    private final PeerSession session;
    private final Object caller;
    private final StreamResources stream;

    SessionResources(OfferedResources offered, PeerSession session, Object caller, StreamResources stream) {
        this.offered = offered;
        this.session = session;
        this.caller = caller;
        this.stream = stream;
    }

    /** Brings the stream up to date on a thread of its own, because a server may answer slowly. */
    void update() {
        if (stream.beginUpdate()) {
            Thread.ofVirtual().name("mcp-session-resources").start(() -> {
                try {
                    updateNow();
                } catch (InterruptedException stopping) {
                    Thread.currentThread().interrupt();
                } catch (RuntimeException unavailable) {
                    LOG.debug(
                            "The subscriptions of a session are not up to date until the next keep-alive", unavailable);
                } finally {
                    stream.endUpdate();
                }
            });
        }
    }

    private void updateNow() throws InterruptedException {
        Map<String, ResourceSubscription> held = stream.held(); // read first, so that nothing newer is released
        Set<String> wanted = session.subscribedResources();
        held.forEach((uri, subscription) -> {
            if (!wanted.contains(uri)) {
                stream.release(uri, subscription);
            }
        });
        for (String uri : wanted) {
            if (stream.isClosed()) {
                return;
            }
            if (!held.containsKey(uri)) {
                subscribe(uri);
            }
        }
    }

    private void subscribe(String uri) throws InterruptedException {
        ResourceSubscription opened;
        try {
            opened = offered.subscribe(caller, uri);
        } catch (RpcException undecided) {
            LOG.debug("The subscription of a session could not be renewed", undecided);
            return;
        }
        if (opened != null) {
            stream.hold(uri, opened);
            if (!session.subscribedResources().contains(uri)) {
                stream.release(uri, opened); // unsubscribed in the meantime
            }
        }
    }
}
