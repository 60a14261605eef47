package dev.toolgate.chat.provider;

import dev.toolgate.chat.model.ProviderFailed;
import dev.toolgate.chat.model.ProviderFailure.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a stream, ended by LF, CR or both, none longer than allowed. Bytes become characters only once a
 * line is whole, so it does not matter where the network cut them.
 */
final class Lines {
    private static final int BUFFER = 8192;

    private final InputStream source;
    private final int longest;
    private final byte[] buffer = new byte[BUFFER];
    private int next;
    private int filled;
    private boolean skipLineFeed;
    private boolean first = true;
    private boolean atEnd;

    Lines(InputStream source, int longest) {
        this.source = source;
        this.longest = longest;
    }

    /** The next line, without its end; {@code null} after the last one. */
    @Nullable
    String next() throws IOException, ProviderFailed {
        ByteArrayOutputStream line = new ByteArrayOutputStream(256);
        while (fill()) {
            int start = next;
            while (next < filled && buffer[next] != '\n' && buffer[next] != '\r') {
                next++;
            }
            line.write(buffer, start, next - start);
            if (line.size() > longest) {
                throw new ProviderFailed(
                        Kind.TOO_LARGE, "The provider sent a line of more than " + longest + " bytes.");
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

    /** How many bytes a line may have. */
    int longest() {
        return longest;
    }

    /** Whether the line before was the last one, and nothing says that it was whole. */
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
