package dev.toolgate.core.call;

import java.util.UUID;

/** One call, as the caller names it. */
public record RequestId(String value) {
    private static final int RANDOM_BITS = 16;
    private static final long VERSION_7 = 0x7000;
    private static final long RANDOM_MASK = 0xfff;

    public RequestId {
        Ids.check("request", value);
    }

    /** A new id, different from all others. It begins with the time, so that new ids sort last in the audit log's index. */
    public static RequestId generated() {
        UUID random = UUID.randomUUID();
        long rest = VERSION_7 | (random.getMostSignificantBits() & RANDOM_MASK);
        long time = (System.currentTimeMillis() << RANDOM_BITS) | rest;
        return new RequestId(new UUID(time, random.getLeastSignificantBits()).toString());
    }

    @Override
    public String toString() {
        return value;
    }
}
