package dev.toolgate.http.events;

import dev.toolgate.core.identity.Principal;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** A feed of events for one client. */
public interface LiveFeed<E> extends AutoCloseable {

    /**
     * The next event.
     *
     * @return empty on time-out
     * @throws SlowConsumer if the client did not keep up and events were dropped
     */
    Optional<E> next(Duration timeout) throws InterruptedException, SlowConsumer;

    /** Whether the principal may see the event now. */
    boolean isFor(Principal reader, E event);

    /** Sends the event. */
    void send(E event, EventSender client) throws IOException;

    @Override
    void close();

    /** The client did not keep up; the message says what to do. */
    final class SlowConsumer extends Exception {
        private static final long serialVersionUID = 1;

        public SlowConsumer(Exception tooSlow) {
            super(tooSlow.getMessage(), tooSlow);
        }
    }
}
