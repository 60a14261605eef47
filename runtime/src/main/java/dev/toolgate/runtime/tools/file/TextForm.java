package dev.toolgate.runtime.tools.file;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * How the text of a file is written.
 *
 * @param unit how many bytes a character has at least
 * @param newlineByte which of those bytes is 10 in a line feed; the others are 0
 * @param markLength how many bytes the byte order mark at the start has
 */
record TextForm(Charset charset, int unit, int newlineByte, int markLength) {
    private static final byte[] UTF_8_MARK = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
    private static final byte[] LITTLE_MARK = {(byte) 0xFF, (byte) 0xFE};
    private static final byte[] BIG_MARK = {(byte) 0xFE, (byte) 0xFF};

    /** Whether these first bytes of a file are not text. */
    static boolean isBinary(byte[] head) {
        for (byte value : head) {
            if (value == 0) {
                return true;
            }
        }
        return false;
    }

    /** The form that the start of the file shows, or that its reader has asked for. */
    static TextForm of(byte[] head, @Nullable Charset asked) throws ToolFailure {
        if (startsWith(head, UTF_8_MARK) && (asked == null || asked.equals(StandardCharsets.UTF_8))) {
            return new TextForm(StandardCharsets.UTF_8, 1, 0, 3);
        }
        boolean anyWide = asked == null || asked.equals(StandardCharsets.UTF_16);
        if ((anyWide && startsWith(head, LITTLE_MARK)) || StandardCharsets.UTF_16LE.equals(asked)) {
            return new TextForm(StandardCharsets.UTF_16LE, 2, 0, startsWith(head, LITTLE_MARK) ? 2 : 0);
        }
        if ((anyWide && startsWith(head, BIG_MARK))
                || StandardCharsets.UTF_16.equals(asked)
                || StandardCharsets.UTF_16BE.equals(asked)) {
            return new TextForm(StandardCharsets.UTF_16BE, 2, 1, startsWith(head, BIG_MARK) ? 2 : 0);
        }
        return plain(asked == null ? StandardCharsets.UTF_8 : asked);
    }

    private static TextForm plain(Charset charset) throws ToolFailure {
        if (charset.equals(StandardCharsets.UTF_32LE)) {
            return new TextForm(charset, 4, 0, 0);
        }
        if (charset.equals(StandardCharsets.UTF_32BE) || charset.equals(StandardCharsets.UTF_32)) {
            return new TextForm(StandardCharsets.UTF_32BE, 4, 3, 0);
        }
        if (!charset.canEncode() || !Arrays.equals("\n".getBytes(charset), new byte[] {'\n'})) {
            throw new ToolFailure(
                    ErrorCode.INVALID_REQUEST, "Field 'encoding': text cannot be read as " + charset.name() + " here");
        }
        return new TextForm(charset, 1, 0, 0);
    }

    private static boolean startsWith(byte[] head, byte[] mark) {
        return head.length >= mark.length && Arrays.equals(head, 0, mark.length, mark, 0, mark.length);
    }

    /** Whether the bytes at this place are a line feed. */
    boolean isNewline(byte[] bytes, int at) {
        if (bytes[at + newlineByte] != '\n') {
            return false;
        }
        for (int part = 0; part < unit; part++) {
            if (part != newlineByte && bytes[at + part] != 0) {
                return false;
            }
        }
        return true;
    }
}
