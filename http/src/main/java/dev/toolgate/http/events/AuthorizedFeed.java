package dev.toolgate.http.events;

import dev.toolgate.core.identity.Principal;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Streams a feed to one client while it is authorised. Authorisation is checked before every event and every few
 * seconds, since a key may be revoked and a log-in may end while the stream is open.
 *
 * @param reader the current principal; empty if no longer authorised
 */
public record AuthorizedFeed<E>(LiveFeed<E> feed, Supplier<Optional<Principal>> reader) implements EventSource.Opened {
    private static final Duration POLL_INTERVAL = Duration.ofSeconds(4);

    @Override
    public void run(EventSender client) throws IOException, InterruptedException {
        try {
            while (true) {
                Optional<E> next = feed.next(POLL_INTERVAL);
                Optional<Principal> now = reader.get();
                if (now.isEmpty()) {
                    return;
                }
                if (next.isPresent() && feed.isFor(now.get(), next.get())) {
                    feed.send(next.get(), client);
                }
            }
        } catch (LiveFeed.SlowConsumer cutOff) {
            client.send(null, StreamEnd.CUT, String.valueOf(cutOff.getMessage()));
        }
    }

    @Override
    public void close() {
        feed.close();
    }
}
