package dev.toolgate.core.call;

import java.util.UUID;

/** The id of one call, chosen by its caller or generated. */
public record RequestId(String value) {
    private static final int RANDOM_BITS = 16;
    private static final long VERSION_7 = 0x7000;
    private static final long RANDOM_MASK = 0xfff;

    public RequestId {
        Ids.check("request", value);
    }

    /** A new unique id. It begins with the time, so that new ids sort last in the audit log's index. */
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
