package dev.toolgate.http.request;

import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.eclipse.jetty.http.HttpFields;
import org.jspecify.annotations.Nullable;

/** The id under which a request is found again in logs and answers. */
public final class CorrelationId {
    public static final String HEADER = "X-Correlation-ID";

    private static final String OTHER_HEADER = "X-Request-ID";
    private static final int LONGEST = 100;
    private static final int TIME_SHIFT = 16;

    private CorrelationId() {}

    /** The caller's own id if it is fit to be logged, a new one otherwise. */
    public static String of(HttpFields headers) {
        String given = headers.get(HEADER);
        String id = given == null ? headers.get(OTHER_HEADER) : given;
        return isFit(id) ? id : fresh();
    }

    /** Whether it can be logged and sent back as it is. */
    public static boolean isFit(@Nullable String id) {
        if (id == null || id.isBlank() || id.length() > LONGEST) {
            return false;
        }
        for (int i = 0; i < id.length(); i++) {
            if (id.charAt(i) < ' ' || id.charAt(i) > '~') {
                return false;
            }
        }
        return true;
    }

    /** 48 bits of the time in milliseconds and 80 random ones: in the index of the audit log, new ids come last. */
    static String fresh() {
        ThreadLocalRandom random = ThreadLocalRandom.current(); // tells requests apart, keeps no secret
        long time = System.currentTimeMillis() << TIME_SHIFT | random.nextInt(1 << TIME_SHIFT);
        return HexFormat.of().toHexDigits(time) + HexFormat.of().toHexDigits(random.nextLong());
    }
}
