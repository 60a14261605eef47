package dev.toolgate.http.request;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.eclipse.jetty.http.HttpFields;
import org.jspecify.annotations.Nullable;

/** The correlation id of a request, in logs and responses. */
public final class CorrelationId {
    public static final String HEADER = "X-Correlation-ID";

    private static final String OTHER_HEADER = "X-Request-ID";
    private static final int MAX_LENGTH = 100;
    private static final int TIME_SHIFT = 16;

    private CorrelationId() {}

    /** The client's id if it is safe to log, otherwise a new one. */
    public static String of(HttpFields headers) {
        String given = headers.get(HEADER);
        String id = given == null ? headers.get(OTHER_HEADER) : given;
        return isFit(id) ? id : fresh();
    }

    /** Whether it is safe to log and to send back. */
    public static boolean isFit(@Nullable String id) {
        if (id == null || id.isBlank() || id.length() > MAX_LENGTH) {
            return false;
        }
        for (int i = 0; i < id.length(); i++) {
            if (id.charAt(i) < ' ' || id.charAt(i) > '~') {
                return false;
            }
        }
        return true;
    }

    /** 48 bits of time in milliseconds and 80 random bits, so that new ids sort last in the audit log's index. */
    static String fresh() {
        ThreadLocalRandom random = ThreadLocalRandom.current(); // uniqueness only, not a secret
        long time = System.currentTimeMillis() << TIME_SHIFT | random.nextInt(1 << TIME_SHIFT);
        return HexFormat.of().toHexDigits(time) + HexFormat.of().toHexDigits(random.nextLong());
    }
}
