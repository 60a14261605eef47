package dev.toolgate.runtime.output;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Turns UTF-8 bytes that arrive in pieces into text, whole characters only: the beginning of a
 * character at the end of a piece waits for the next one. Bytes that are no UTF-8 become U+FFFD,
 * exactly as if everything had been decoded at once.
 */
final class Utf8Pieces {
    private static final int LONGEST_CHARACTER = 4;

    private byte[] waiting = new byte[0];

    /** The characters that are complete once these bytes have arrived. */
    String next(byte[] bytes, int length) {
        byte[] all = bytes;
        int end = length;
        if (waiting.length > 0) {
            all = Arrays.copyOf(waiting, waiting.length + length);
            System.arraycopy(bytes, 0, all, waiting.length, length);
            end = all.length;
        }
        int complete = completeUntil(all, end);
        waiting = Arrays.copyOfRange(all, complete, end);
        return new String(all, 0, complete, StandardCharsets.UTF_8);
    }

    /** What was still waiting when the bytes ended. */
    String end() {
        String rest = new String(waiting, StandardCharsets.UTF_8);
        waiting = new byte[0];
        return rest;
    }

    // A lead byte always starts a character, so text can be cut before it without changing its meaning.
    private static int completeUntil(byte[] bytes, int end) {
        for (int back = 1; back < LONGEST_CHARACTER && back <= end; back++) {
            int value = bytes[end - back] & 0xFF;
            if (value >= 0xC0) {
                return lengthOfCharacter(value) > back ? end - back : end;
            }
            if (value < 0x80) {
                return end;
            }
        }
        return end;
    }

    private static int lengthOfCharacter(int lead) {
        if (lead >= 0xF0) {
            return 4;
        }
        return lead >= 0xE0 ? 3 : 2;
    }
}
