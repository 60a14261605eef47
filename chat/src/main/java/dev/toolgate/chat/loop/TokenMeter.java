package dev.toolgate.chat.loop;

/**
 * Counts a session's tokens over all its conversations. Tokens are reserved before a model is asked, so that concurrent
 * answers do not count on the same remainder, and corrected when the usage is known.
 */
public interface TokenMeter {
    /** The session's tokens so far, used or reserved, input and output. */
    long spent();

    /**
     * Reserves tokens atomically: the wanted number, or what is left if that is enough.
     *
     * @param min the smallest useful reservation
     * @param wanted the preferred reservation
     * @param max the session's total budget
     * @return how many were reserved; 0 if fewer than {@code min} are left
     */
    long reserve(long min, long wanted, long max);

    /**
     * Replaces a reservation by the actual usage. An unsettled reservation stays spent.
     *
     * @param reserved the result of {@link #reserve}; 0 if nothing was reserved
     */
    void settle(long reserved, long used);

    /** A meter that lasts as long as this process. */
    static TokenMeter inMemory() {
        return new InMemoryTokenMeter();
    }
}
