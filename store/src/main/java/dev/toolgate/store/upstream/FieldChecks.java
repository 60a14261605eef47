package dev.toolgate.store.upstream;

import java.net.URI;
import java.util.Collection;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Checks fields of server settings; messages begin with the field. */
final class FieldChecks {
    static final Pattern HEADER = Pattern.compile("[A-Za-z0-9-]{1,64}");
    static final Pattern SCHEME = Pattern.compile("[A-Za-z0-9_-]{1,32}");
    static final Pattern SCOPE = Pattern.compile("[\\x21\\x23-\\x5B\\x5D-\\x7E]{1,200}");
    static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,99}");
    static final Pattern HOST = Pattern.compile("(\\*\\.)?[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?(:[0-9]{1,5})?");
    private static final Pattern SECRET_NAME = Pattern.compile("[A-Za-z0-9_.-]{1,100}");
    private static final int MAX_URL = 2_000;
    private static final int MAX_LINE = 128;

    private FieldChecks() {}

    static void matching(String field, String value, Pattern pattern) {
        if (!pattern.matcher(value).matches()) {
            throw new IllegalArgumentException(field + ": must match " + pattern.pattern());
        }
    }

    static void optional(String field, @Nullable String value, Pattern pattern) {
        if (value != null) {
            matching(field, value, pattern);
        }
    }

    static void secretName(String field, String name) {
        if (!SECRET_NAME.matcher(name).matches()) {
            // Not shown: it may be the secret itself.
            throw new IllegalArgumentException(field
                    + ": must be the name of a secret, 1 to 100 letters, digits, '_', '.' or '-', not the secret");
        }
    }

    static <T> T present(String field, @Nullable T value) {
        if (value == null) {
            throw new IllegalArgumentException(field + ": is missing");
        }
        return value;
    }

    static void absent(String when, @Nullable Object... values) {
        for (Object value : values) {
            if (value != null) {
                throw new IllegalArgumentException("kind: there are fields that have no meaning " + when);
            }
        }
    }

    static void empty(String field, String when, Collection<?> values) {
        if (!values.isEmpty()) {
            throw new ConflictingFields(field + ": has no meaning " + when);
        }
    }

    static void atMost(String field, Collection<?> values, int max) {
        if (values.size() > max) {
            throw new IllegalArgumentException(field + ": must have at most " + max + " entries");
        }
    }

    static void atMost(String field, Map<?, ?> values, int max) {
        atMost(field, values.keySet(), max);
    }

    /** One line of printable characters. */
    static void line(String field, String value) {
        if (value.isBlank()
                || value.codePointCount(0, value.length()) > MAX_LINE
                || value.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(field + ": must be 1 to " + MAX_LINE + " printable characters");
        }
    }

    /** A valid program argument or environment value. */
    static void text(String field, String value, int maxLength) {
        if (value.codePointCount(0, value.length()) > maxLength || value.indexOf('\0') >= 0) {
            throw new IllegalArgumentException(
                    field + ": must be at most " + maxLength + " characters without the NUL character");
        }
    }

    static void url(String field, URI url) {
        String scheme = url.getScheme();
        boolean web = "https".equalsIgnoreCase(scheme) || "http".equalsIgnoreCase(scheme);
        if (!web
                || url.getHost() == null
                || url.getRawUserInfo() != null
                || url.getRawFragment() != null
                || url.toString().length() > MAX_URL) {
            throw new IllegalArgumentException(
                    field + ": must be an http or https URL with a host, without user and fragment");
        }
    }
}
