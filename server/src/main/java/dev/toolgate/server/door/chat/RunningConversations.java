package dev.toolgate.server.door.chat;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.http.routing.SharedPlaces;
import java.time.Duration;

/** All conversations that run on this server: no more than it can bear, and of one tenant no more than its share. */
final class RunningConversations {
    static final int MOST = 1_000;

    private static final Duration UNTIL_ANOTHER_TRY = Duration.ofSeconds(1);

    private final SharedPlaces places;

    RunningConversations(int most) {
        this.places = new SharedPlaces(most);
    }

    /**
     * Runs a conversation on a thread of its own.
     *
     * @throws HttpFailure if there is no place for it
     */
    void start(TenantId tenant, String id, Runnable conversation, Runnable afterwards) {
        enter(tenant);
        Thread.ofVirtual().name("chat-" + id).start(() -> {
            try {
                conversation.run();
            } finally {
                places.leave(tenant);
                afterwards.run();
            }
        });
    }

    private void enter(TenantId tenant) {
        switch (places.enter(tenant)) {
            case ADMITTED -> {}
            case FULL -> throw HttpFailure.unavailable("The server has as many conversations as it can.");
            case SHARE_USED_UP ->
                throw HttpFailure.rateLimited(
                        "The tenant has as many answers coming as one may have, which is " + places.mostOfOne()
                                + "; wait for the end of one.",
                        UNTIL_ANOTHER_TRY);
        }
    }

    int count() {
        return places.count();
    }
}
