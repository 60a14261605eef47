package dev.toolgate.chat.loop;

/** The tokens of a session that only this process knows of. */
final class TokensInMemory implements TokenMeter {
    private long spent;

    @Override
    public synchronized long spent() {
        return spent;
    }

    @Override
    public synchronized long reserve(long least, long wanted, long most) {
        if (least < 1 || wanted < least) {
            throw new IllegalArgumentException(
                    "Nobody can set aside " + wanted + " tokens and at least " + least + ".");
        }
        if (spent > most - least) {
            return 0;
        }
        long granted = Math.min(wanted, most - spent);
        spent += granted;
        return granted;
    }

    @Override
    public synchronized void settle(long reserved, long used) {
        if (reserved < 0 || used < 0) {
            throw new IllegalArgumentException("Tokens cannot be negative: " + reserved + " and " + used + ".");
        }
        // What was never set aside here is not given back.
        long rest = spent < reserved ? spent : spent - reserved;
        spent = used > Long.MAX_VALUE - rest ? Long.MAX_VALUE : rest + used;
    }
}
