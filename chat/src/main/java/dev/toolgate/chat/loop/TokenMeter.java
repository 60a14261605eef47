package dev.toolgate.chat.loop;

import dev.toolgate.chat.model.Usage;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the tokens of a session, over all its conversations. */
public interface TokenMeter {
    /** All tokens of the session so far, input and output. */
    long spent();

    /** Adds what one turn of a model took. */
    void spend(Usage usage);

    /** A meter that lives as long as this process. */
    static TokenMeter inMemory() {
        AtomicLong spent = new AtomicLong();
        return new TokenMeter() {
            @Override
            public long spent() {
                return spent.get();
            }

            @Override
            public void spend(Usage usage) {
                spent.addAndGet(usage.total());
            }
        };
    }
}
