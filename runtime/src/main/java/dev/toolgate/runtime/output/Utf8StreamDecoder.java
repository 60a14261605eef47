package dev.toolgate.runtime.output;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Decodes UTF-8 that arrives in chunks: a character that is incomplete at the end of a chunk is completed by the next
 * one. Invalid bytes become U+FFFD, exactly as if everything had been decoded at once.
 */
final class Utf8StreamDecoder {
    private static final int MAX_CHARACTER_BYTES = 4;

    private byte[] pending = new byte[0];

    /** Decodes the next chunk; returns the characters that are complete. */
    String next(byte[] bytes, int length) {
        byte[] all = bytes;
        int end = length;
        if (pending.length > 0) {
            all = Arrays.copyOf(pending, pending.length + length);
            System.arraycopy(bytes, 0, all, pending.length, length);
            end = all.length;
        }
        int complete = completeUntil(all, end);
        pending = Arrays.copyOfRange(all, complete, end);
        return new String(all, 0, complete, StandardCharsets.UTF_8);
    }

    /** Decodes the incomplete rest at the end of the input. */
    String end() {
        String rest = new String(pending, StandardCharsets.UTF_8);
        pending = new byte[0];
        return rest;
    }

    // A lead byte always starts a character, so text can be cut before it without changing its meaning.
    private static int completeUntil(byte[] bytes, int end) {
        for (int back = 1; back < MAX_CHARACTER_BYTES && back <= end; back++) {
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
