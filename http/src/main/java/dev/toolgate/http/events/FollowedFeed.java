package dev.toolgate.http.events;

import dev.toolgate.core.identity.Principal;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A feed for one client. Who listens is asked before every event and every few seconds, since a key may be revoked and a
 * session may end while the stream is open; then it ends.
 *
 * @param reader who listens now; empty if they may not any more
 */
public record FollowedFeed<E>(LiveFeed<E> feed, Supplier<Optional<Principal>> reader) implements EventSource.Opened {
    private static final Duration ROUND = Duration.ofSeconds(4);

    @Override
    public void run(EventSender client) throws IOException, InterruptedException {
        try {
            while (true) {
                Optional<E> next = feed.next(ROUND);
                Optional<Principal> now = reader.get();
                if (now.isEmpty()) {
                    return;
                }
                if (next.isPresent() && feed.isFor(now.get(), next.get())) {
                    feed.send(next.get(), client);
                }
            }
        } catch (LiveFeed.CutOff cutOff) {
            client.send(null, "cut", String.valueOf(cutOff.getMessage()));
        }
    }

    @Override
    public void close() {
        feed.close();
    }
}
