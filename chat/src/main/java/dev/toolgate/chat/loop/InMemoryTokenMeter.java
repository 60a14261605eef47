package dev.toolgate.chat.loop;

/** A token meter local to this process. */
final class InMemoryTokenMeter implements TokenMeter {
    private long spent;

    @Override
    public synchronized long spent() {
        return spent;
    }

    @Override
    public synchronized long reserve(long min, long wanted, long max) {
        if (min < 1 || wanted < min) {
            throw new IllegalArgumentException("Cannot reserve " + wanted + " tokens with a minimum of " + min + ".");
        }
        if (spent > max - min) {
            return 0;
        }
        long granted = Math.min(wanted, max - spent);
        spent += granted;
        return granted;
    }

    @Override
    public synchronized void settle(long reserved, long used) {
        if (reserved < 0 || used < 0) {
            throw new IllegalArgumentException("Tokens cannot be negative: " + reserved + " and " + used + ".");
        }
        // A reservation not made here is not released.
        long rest = spent < reserved ? spent : spent - reserved;
        spent = used > Long.MAX_VALUE - rest ? Long.MAX_VALUE : rest + used;
    }
}
