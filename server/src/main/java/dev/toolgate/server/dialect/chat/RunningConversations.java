package dev.toolgate.server.dialect.chat;

import dev.toolgate.server.http.HttpFailure;
import java.util.concurrent.Semaphore;

/** All conversations that run on this server: no more than it can bear. */
final class RunningConversations {
    static final int MOST = 1_000;

    private final Semaphore places = new Semaphore(MOST);

    /** Runs a conversation on a thread of its own, or refuses it. */
    void start(Conversation conversation, Runnable afterwards) {
        if (!places.tryAcquire()) {
            throw HttpFailure.unavailable("The server has as many conversations as it can.");
        }
        Thread.ofVirtual().name("chat-" + conversation.id()).start(() -> {
            try {
                conversation.run();
            } finally {
                places.release();
                afterwards.run();
            }
        });
    }

    int count() {
        return MOST - places.availablePermits();
    }
}
