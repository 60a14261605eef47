package dev.toolgate.http.events;

import dev.toolgate.core.identity.Principal;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** What happens, for one client that keeps listening. */
public interface LiveFeed<E> extends AutoCloseable {

    /**
     * The next event.
     *
     * @return empty if there was none in that time
     * @throws CutOff if the client did not keep up, so that some are missing
     */
    Optional<E> next(Duration patience) throws InterruptedException, CutOff;

    /** Whether they may see it, by what they may do now. */
    boolean isFor(Principal reader, E event);

    /** Sends it. */
    void send(E event, EventSender client) throws IOException;

    @Override
    void close();

    /** The client did not keep up; says what it can do about that. */
    final class CutOff extends Exception {
        private static final long serialVersionUID = 1;

        public CutOff(Exception tooSlow) {
            super(tooSlow.getMessage(), tooSlow);
        }
    }
}
