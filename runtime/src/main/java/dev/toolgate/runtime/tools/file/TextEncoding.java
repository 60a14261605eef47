package dev.toolgate.runtime.tools.file;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The charset and byte layout of a text file.
 *
 * @param unit the minimum number of bytes per character
 * @param newlineByte the index of the byte that is 10 in a line feed; the others are 0
 * @param bomLength the length of the byte order mark, 0 if there is none
 */
record TextEncoding(Charset charset, int unit, int newlineByte, int bomLength) {
    private static final byte[] UTF_8_BOM = {(byte) 0xEF, (byte) 0xBB, (byte) 0xBF};
    private static final byte[] UTF_16LE_BOM = {(byte) 0xFF, (byte) 0xFE};
    private static final byte[] UTF_16BE_BOM = {(byte) 0xFE, (byte) 0xFF};

    /** Whether a file with these first bytes is binary. */
    static boolean isBinary(byte[] head) {
        for (byte value : head) {
            if (value == 0) {
                return true;
            }
        }
        return false;
    }

    /** The encoding detected from the start of the file, or the requested one. */
    static TextEncoding of(byte[] head, @Nullable Charset asked) throws ToolFailure {
        if (startsWith(head, UTF_8_BOM) && (asked == null || asked.equals(StandardCharsets.UTF_8))) {
            return new TextEncoding(StandardCharsets.UTF_8, 1, 0, 3);
        }
        boolean anyWide = asked == null || asked.equals(StandardCharsets.UTF_16);
        if ((anyWide && startsWith(head, UTF_16LE_BOM)) || StandardCharsets.UTF_16LE.equals(asked)) {
            return new TextEncoding(StandardCharsets.UTF_16LE, 2, 0, startsWith(head, UTF_16LE_BOM) ? 2 : 0);
        }
        if ((anyWide && startsWith(head, UTF_16BE_BOM))
                || StandardCharsets.UTF_16.equals(asked)
                || StandardCharsets.UTF_16BE.equals(asked)) {
            return new TextEncoding(StandardCharsets.UTF_16BE, 2, 1, startsWith(head, UTF_16BE_BOM) ? 2 : 0);
        }
        return plain(asked == null ? StandardCharsets.UTF_8 : asked);
    }

    private static TextEncoding plain(Charset charset) throws ToolFailure {
        if (charset.equals(StandardCharsets.UTF_32LE)) {
            return new TextEncoding(charset, 4, 0, 0);
        }
        if (charset.equals(StandardCharsets.UTF_32BE) || charset.equals(StandardCharsets.UTF_32)) {
            return new TextEncoding(StandardCharsets.UTF_32BE, 4, 3, 0);
        }
        if (!charset.canEncode() || !Arrays.equals("\n".getBytes(charset), new byte[] {'\n'})) {
            throw new ToolFailure(
                    ErrorCode.INVALID_REQUEST, "Field 'encoding': text cannot be read as " + charset.name() + " here");
        }
        return new TextEncoding(charset, 1, 0, 0);
    }

    private static boolean startsWith(byte[] head, byte[] mark) {
        return head.length >= mark.length && Arrays.equals(head, 0, mark.length, mark, 0, mark.length);
    }

    /** Whether there is a line feed at this position. */
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
