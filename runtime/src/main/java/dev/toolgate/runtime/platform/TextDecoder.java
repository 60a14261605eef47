package dev.toolgate.runtime.platform;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Turns the bytes of a file into text: in the encoding asked for, or else in the first of the
 * platform's that fits. A byte order mark at the beginning is no part of the text.
 */
public final class TextDecoder {
    private static final char BYTE_ORDER_MARK = '\uFEFF';
    private static final byte[] UTF_8_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};

    private final Platform platform;

    public TextDecoder(Platform platform) {
        this.platform = platform;
    }

    /** Text, and the encoding it turned out to be in. */
    public record Decoded(String text, Charset encoding) {}

    /** The encoding with this name; UTF-8 if there is no name. */
    public static Charset encoding(@Nullable String name) throws ToolFailure {
        if (name == null || name.isEmpty()) {
            return StandardCharsets.UTF_8;
        }
        try {
            return switch (name.toLowerCase(Locale.ROOT)) {
                case "latin-1" -> StandardCharsets.ISO_8859_1;
                case "macroman" -> Charset.forName("x-MacRoman");
                default -> Charset.forName(name);
            };
        } catch (IllegalArgumentException unknown) {
            throw new ToolFailure(
                    ErrorCode.INVALID_REQUEST,
                    "Field 'encoding' names an unknown encoding; use for example utf-8, latin-1 or windows-1252");
        }
    }

    /** Decodes all the bytes; never fails, because the last encoding that is tried fits any bytes. */
    public Decoded decode(byte[] bytes, Charset asked) {
        int start = startsWithMark(bytes) ? UTF_8_MARK.length : 0;
        for (Charset encoding : Stream.concat(Stream.of(asked), platform.fallbackEncodings().stream())
                .toList()) {
            try {
                // A new decoder reports what does not fit, where String would replace it.
                String text = encoding.newDecoder()
                        .decode(ByteBuffer.wrap(bytes, start, bytes.length - start))
                        .toString();
                return new Decoded(withoutMark(text), encoding);
            } catch (CharacterCodingException doesNotFit) {
                // The next one may.
            }
        }
        return new Decoded(
                new String(bytes, start, bytes.length - start, StandardCharsets.ISO_8859_1),
                StandardCharsets.ISO_8859_1);
    }

    private static boolean startsWithMark(byte[] bytes) {
        return bytes.length >= UTF_8_MARK.length
                && bytes[0] == UTF_8_MARK[0]
                && bytes[1] == UTF_8_MARK[1]
                && bytes[2] == UTF_8_MARK[2];
    }

    private static String withoutMark(String text) {
        return !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
    }
}
