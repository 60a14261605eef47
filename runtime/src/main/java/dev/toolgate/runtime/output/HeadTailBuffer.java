package dev.toolgate.runtime.output;

import dev.toolgate.core.output.HeadTail;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Keeps the head and tail of a text of any length in constant memory. {@link #fit} returns the same as
 * {@link HeadTail#fit} for the whole text.
 */
final class HeadTailBuffer {
    private static final byte[] NOTHING = new byte[0];

    private final int maxBytes;
    private final ByteArrayOutputStream head = new ByteArrayOutputStream();
    private byte[] ring = NOTHING;
    private long size;

    /** @param maxBytes the largest limit that {@link #fit} accepts */
    HeadTailBuffer(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    void append(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        // One byte more than the limit, so that a cut at the limit sees whether it splits a character.
        int toHead = (int) Math.min(maxBytes + 1L - head.size(), bytes.length);
        head.write(bytes, 0, toHead);
        if (size + bytes.length > maxBytes && HeadTail.tailRoom(maxBytes) > 0) {
            appendToRing(bytes);
        }
        size += bytes.length;
    }

    /** The size of the whole text in UTF-8 bytes. */
    long size() {
        return size;
    }

    /** The text, or its head and tail with a marker between them. */
    String fit(int limit) {
        if (limit > maxBytes) {
            throw new IllegalArgumentException("At most " + maxBytes + " bytes were kept.");
        }
        byte[] kept = head.toByteArray();
        if (size <= maxBytes) {
            return HeadTail.fit(new String(kept, StandardCharsets.UTF_8), limit);
        }
        int headEnd = HeadTail.startOfCharacter(kept, HeadTail.headRoom(limit));
        byte[] tail = lastBytes(HeadTail.tailRoom(limit));
        int tailStart = HeadTail.startOfNextCharacter(tail, 0);
        int tailLength = tail.length - tailStart;
        return HeadTail.join(
                new String(kept, 0, headEnd, StandardCharsets.UTF_8),
                size - headEnd - tailLength,
                new String(tail, tailStart, tailLength, StandardCharsets.UTF_8),
                limit);
    }

    // The ring buffer is created with the first byte that does not fit; its earlier content is then still in the head.
    private void appendToRing(byte[] bytes) {
        if (ring.length == 0) {
            ring = new byte[HeadTail.tailRoom(maxBytes)];
            putAt(0, head.toByteArray(), (int) size);
        }
        putAt(size, bytes, bytes.length);
    }

    private void putAt(long position, byte[] bytes, int length) {
        int from = Math.max(0, length - ring.length);
        int at = (int) ((position + from) % ring.length);
        int first = Math.min(length - from, ring.length - at);
        System.arraycopy(bytes, from, ring, at, first);
        System.arraycopy(bytes, from + first, ring, 0, length - from - first);
    }

    private byte[] lastBytes(int count) {
        if (count == 0) {
            return NOTHING;
        }
        int from = (int) ((size - count) % ring.length);
        int first = Math.min(count, ring.length - from);
        byte[] last = Arrays.copyOfRange(ring, from, from + count); // beyond the ring's end: zeros, overwritten below
        System.arraycopy(ring, 0, last, first, count - first);
        return last;
    }
}
