package dev.toolgate.chat.loop;

/**
 * Counts the tokens of a session, over all its conversations. They are set aside before a model is asked, so that
 * answers which come at once do not all count on the same rest, and corrected when it is known what was used.
 */
public interface TokenMeter {
    /** All tokens of the session so far, input and output, used or set aside. */
    long spent();

    /**
     * Sets tokens aside, in one step: as many as are wanted or as are left, if those are enough.
     *
     * @param least fewer than this are of no use
     * @param wanted how many it should be
     * @param most how many the session may spend in all
     * @return how many were set aside; 0 if fewer than the least are left
     */
    long reserve(long least, long wanted, long most);

    /**
     * Counts what was used, in place of what was set aside for it. What has not been settled stays spent.
     *
     * @param reserved what {@link #reserve} gave; 0 if nothing was set aside
     */
    void settle(long reserved, long used);

    /** A meter that lives as long as this process. */
    static TokenMeter inMemory() {
        return new TokensInMemory();
    }
}
