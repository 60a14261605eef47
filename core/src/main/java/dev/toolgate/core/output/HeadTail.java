package dev.toolgate.core.output;

import java.nio.charset.StandardCharsets;

/**
 * Truncates long text to a head and a tail in the proportion four to one: the beginning usually says what it is, the
 * end how it went. Sizes are UTF-8 bytes and include the marker; characters are never split.
 */
public final class HeadTail {
    private static final int MARKER_ROOM = marker(Long.MAX_VALUE).length();

    private HeadTail() {}

    /** The text, or its head and tail with a marker that says how much is missing between them. */
    public static String fit(String text, int maxBytes) {
        // A Java char needs at most three bytes, so most texts need no encoding.
        if ((long) text.length() * 3 <= maxBytes) {
            return text;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length <= maxBytes) {
            return text;
        }
        int headEnd = startOfCharacter(bytes, headRoom(maxBytes));
        int tailStart = startOfNextCharacter(bytes, bytes.length - tailRoom(maxBytes));
        return join(
                new String(bytes, 0, headEnd, StandardCharsets.UTF_8),
                tailStart - headEnd,
                new String(bytes, tailStart, bytes.length - tailStart, StandardCharsets.UTF_8),
                maxBytes);
    }

    /** Joins head, marker and tail; without room for a marker, returns the head alone. */
    public static String join(String head, long omittedBytes, String tail, int maxBytes) {
        return hasRoomForMarker(maxBytes) ? head + marker(omittedBytes) + tail : head;
    }

    /** How many bytes may go to the head. */
    public static int headRoom(int maxBytes) {
        return hasRoomForMarker(maxBytes) ? (int) ((maxBytes - MARKER_ROOM) * 8L / 10) : maxBytes;
    }

    /** How many bytes may go to the tail. */
    public static int tailRoom(int maxBytes) {
        return hasRoomForMarker(maxBytes) ? maxBytes - MARKER_ROOM - headRoom(maxBytes) : 0;
    }

    private static boolean hasRoomForMarker(int maxBytes) {
        return maxBytes > 2 * MARKER_ROOM;
    }

    /** The line that marks the omission. */
    private static String marker(long omittedBytes) {
        return "\n[... truncated " + omittedBytes + " bytes ...]\n";
    }

    /** The last character boundary at or before this position. */
    public static int startOfCharacter(byte[] utf8, int position) {
        int at = position;
        while (at > 0 && at < utf8.length && isContinuation(utf8[at])) {
            at--;
        }
        return at;
    }

    /** The first character boundary at or after this position. */
    public static int startOfNextCharacter(byte[] utf8, int position) {
        int at = position;
        while (at < utf8.length && isContinuation(utf8[at])) {
            at++;
        }
        return at;
    }

    private static boolean isContinuation(byte value) {
        return (value & 0xC0) == 0x80;
    }
}
