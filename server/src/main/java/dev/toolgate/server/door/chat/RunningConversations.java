package dev.toolgate.server.door.chat;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.routing.TenantPermits;
import java.time.Duration;

/** All running conversations of this server, limited in total and per tenant. */
final class RunningConversations {
    static final int MAX_RUNNING = 1_000;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final TenantPermits permits;

    RunningConversations(int max) {
        this.permits = new TenantPermits(max);
    }

    /**
     * Runs a conversation on a new thread.
     *
     * @throws HttpFailure if a limit is reached
     */
    void start(TenantId tenant, String id, Runnable conversation, Runnable afterwards) {
        enter(tenant);
        Thread.ofVirtual().name("chat-" + id).start(() -> {
            try {
                conversation.run();
            } finally {
                permits.release(tenant);
                afterwards.run();
            }
        });
    }

    private void enter(TenantId tenant) {
        switch (permits.acquire(tenant)) {
            case ADMITTED -> {}
            case FULL ->
                throw HttpFailure.unavailable(
                        "The server has reached its maximum of running conversations; try again later.");
            case SHARE_USED_UP ->
                throw HttpFailure.rateLimited(
                        "The tenant has reached its maximum of running answers, which is " + permits.maxPerTenant()
                                + "; wait for one to end.",
                        RETRY_AFTER);
        }
    }

    int count() {
        return permits.count();
    }
}
