package dev.toolgate.http.request;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The content encodings that a client accepts, by its {@code Accept-Encoding} header. */
public final class AcceptedEncodings {
    private static final int MAX_HEADER = 500;

    private final Map<String, Boolean> named;

    private AcceptedEncodings(Map<String, Boolean> named) {
        this.named = named;
    }

    /**
     * Parses the header.
     *
     * @param header {@code null} if there is none; then, or if it is very long, nothing is accepted
     */
    public static AcceptedEncodings of(@Nullable String header) {
        Map<String, Boolean> named = new HashMap<>();
        if (header != null && header.length() <= MAX_HEADER) {
            for (String part : header.split(",", -1)) {
                int parameters = part.indexOf(';');
                String name = parameters < 0 ? part : part.substring(0, parameters);
                boolean refused = parameters >= 0 && isZero(part.substring(parameters + 1));
                named.put(name.strip().toLowerCase(Locale.ROOT), !refused);
            }
        }
        return new AcceptedEncodings(named);
    }

    private static boolean isZero(String parameters) {
        return parameters.strip().matches("[qQ]\\s*=\\s*0(\\.0{0,3})?");
    }

    /** Whether an encoding is accepted, by its name or by {@code *}. */
    public boolean includes(String encoding) {
        Boolean itself = named.get(encoding);
        return itself == null ? named.getOrDefault("*", false) : itself;
    }
}
