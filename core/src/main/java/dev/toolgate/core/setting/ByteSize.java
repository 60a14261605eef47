package dev.toolgate.core.setting;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A number of bytes, written like {@code 64KB} or {@code 10MB}; units are powers of 1024. */
public record ByteSize(long bytes) implements Comparable<ByteSize> {
    /** Its format as a regular expression. */
    public static final String PATTERN = "(\\d{1,9})(B|KB|MB|GB)";

    private static final Pattern SIZE = Pattern.compile(PATTERN);

    /**
     * Reads a size.
     *
     * @throws IllegalArgumentException if it is malformed
     */
    public static ByteSize parse(String text) {
        Matcher size = SIZE.matcher(text);
        if (!size.matches()) {
            throw new IllegalArgumentException("must be a size such as 1MB");
        }
        int shift =
                switch (size.group(2)) {
                    case "B" -> 0;
                    case "KB" -> 10;
                    case "MB" -> 20;
                    default -> 30;
                };
        return new ByteSize(Long.parseLong(size.group(1)) << shift);
    }

    @Override
    public int compareTo(ByteSize other) {
        return Long.compare(bytes, other.bytes);
    }
}
