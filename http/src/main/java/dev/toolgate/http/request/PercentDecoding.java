package dev.toolgate.http.request;

import dev.toolgate.http.error.BadRequest;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Strict percent-decoding: two hex digits, valid UTF-8, no control characters. */
public final class PercentDecoding {
    private PercentDecoding() {}

    /** Decodes a path segment. */
    public static String segment(String raw) {
        return raw.indexOf('%') < 0 ? plain(raw) : decode(raw);
    }

    /** Decodes a query name or value, where plus is a space. */
    static String query(String raw) {
        return segment(raw.indexOf('+') < 0 ? raw : raw.replace('+', ' '));
    }

    private static String decode(String raw) {
        ByteBuffer bytes = ByteBuffer.allocate(raw.length() * 3);
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '%') {
                bytes.put((byte) (digit(raw, i + 1) << 4 | digit(raw, i + 2)));
                i += 2;
            } else if (c < 0x80) {
                bytes.put((byte) c);
            } else {
                throw unreadable();
            }
        }
        try {
            return plain(
                    StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString());
        } catch (CharacterCodingException notUtf8) {
            throw unreadable();
        }
    }

    private static int digit(String raw, int at) {
        int digit = at < raw.length() && raw.charAt(at) < 0x80 ? Character.digit(raw.charAt(at), 16) : -1;
        if (digit < 0) {
            throw unreadable();
        }
        return digit;
    }

    private static String plain(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (Character.isISOControl(text.charAt(i))) {
                throw unreadable();
            }
        }
        return text;
    }

    private static BadRequest unreadable() {
        return new BadRequest("The address has invalid percent-encoding or a control character.");
    }
}
