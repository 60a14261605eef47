package dev.toolgate.chat.provider;

import dev.toolgate.chat.model.ProviderFailed;
import dev.toolgate.chat.model.ProviderFailure.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Reads lines ended by LF, CR or both, bounded in length. Bytes are decoded per complete line, so it does not matter
 * where the network split them.
 */
final class Lines {
    private static final int BUFFER = 8192;

    private final InputStream source;
    private final int maxBytes;
    private final byte[] buffer = new byte[BUFFER];
    private int next;
    private int filled;
    private boolean skipLineFeed;
    private boolean first = true;
    private boolean atEnd;

    Lines(InputStream source, int maxBytes) {
        this.source = source;
        this.maxBytes = maxBytes;
    }

    /** The next line without its terminator; {@code null} after the last one. */
    @Nullable
    String next() throws IOException, ProviderFailed {
        ByteArrayOutputStream line = new ByteArrayOutputStream(256);
        while (fill()) {
            int start = next;
            while (next < filled && buffer[next] != '\n' && buffer[next] != '\r') {
                next++;
            }
            line.write(buffer, start, next - start);
            if (line.size() > maxBytes) {
                throw new ProviderFailed(
                        Kind.TOO_LARGE, "The provider sent a line of more than " + maxBytes + " bytes.");
            }
            if (next < filled) {
                skipLineFeed = buffer[next] == '\r';
                next++;
                return text(line);
            }
        }
        atEnd = true;
        return line.size() == 0 ? null : text(line);
    }

    /** The maximum length of a line. */
    int maxBytes() {
        return maxBytes;
    }

    /** Whether the last line had no terminator and may be incomplete. */
    boolean atEnd() {
        return atEnd;
    }

    private boolean fill() throws IOException {
        while (true) {
            if (next == filled) {
                filled = source.read(buffer, 0, BUFFER);
                next = 0;
                if (filled <= 0) {
                    filled = 0;
                    return false;
                }
            }
            if (!skipLineFeed) {
                return true;
            }
            skipLineFeed = false;
            if (buffer[next] != '\n') {
                return true;
            }
            next++;
        }
    }

    private String text(ByteArrayOutputStream line) {
        String text = line.toString(StandardCharsets.UTF_8);
        if (first) {
            first = false;
            return text.startsWith("\uFEFF") ? text.substring(1) : text;
        }
        return text;
    }
}
