package dev.toolgate.mcp.client.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One connection, used for one exchange at a time; limits the size of response heads. */
final class PooledConnection {
    private static final int MAX_HEAD = 64 << 10;
    private static final int MAX_HEADERS = 200;
    private static final Pattern START = Pattern.compile("HTTP/1\\.[01] [1-5][0-9][0-9]( .*)?");

    private final Socket socket;
    private final InputStream in;
    private final byte[] buffer = new byte[8 << 10];
    private int from;
    private int to;
    private long idleSince;
    private boolean limited;
    private long deadline; // of the head that is being read, if it is limited

    PooledConnection(Socket socket) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
    }

    void write(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /**
     * The head of the next response; interim (1xx) responses are skipped.
     *
     * @param timeout for all of it, however slowly it arrives; null for no limit
     */
    ResponseHead head(@Nullable Duration timeout) throws IOException {
        if (timeout == null) {
            socket.setSoTimeout(0);
            return head();
        }
        deadline = System.nanoTime() + timeout.toNanos();
        limited = true;
        ResponseHead head = head();
        limited = false;
        socket.setSoTimeout(0);
        return head;
    }

    private ResponseHead head() throws IOException {
        int left = MAX_HEAD;
        while (true) {
            String start = line(left);
            left -= start.length() + 2;
            if (!START.matcher(start).matches()) {
                throw new IOException("The answer is not HTTP/1.1.");
            }
            List<String> names = new ArrayList<>(16);
            List<String> values = new ArrayList<>(16);
            for (String header = line(left); !header.isEmpty(); header = line(left)) {
                left -= header.length() + 2;
                int colon = header.indexOf(':');
                if (colon <= 0 || names.size() == MAX_HEADERS) {
                    throw new IOException("The answer has a malformed header or too many of them.");
                }
                names.add(header.substring(0, colon).toLowerCase(Locale.ROOT));
                values.add(header.substring(colon + 1).strip());
            }
            int status = Integer.parseInt(start, 9, 12, 10);
            if (status >= 200) {
                return new ResponseHead(status, start.charAt(7) == '1', names, values);
            }
            if (status == 101) {
                throw new IOException("The server requests a protocol switch, which is not supported.");
            }
        }
    }

    /** A line without its terminator. */
    String line(int max) throws IOException {
        int length = 0;
        byte[] text = new byte[128];
        while (true) {
            if (from == to) {
                fill();
            }
            byte next = buffer[from++];
            if (next == '\n') {
                int end = length > 0 && text[length - 1] == '\r' ? length - 1 : length;
                return new String(text, 0, end, StandardCharsets.ISO_8859_1);
            }
            if (length >= max) {
                throw new IOException("The head of the answer is too large.");
            }
            if (length == text.length) {
                text = Arrays.copyOf(text, length * 2);
            }
            text[length++] = next;
        }
    }

    private void fill() throws IOException {
        if (limited) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                throw new SocketTimeoutException("The head of the answer did not arrive in time.");
            }
            socket.setSoTimeout(Math.toIntExact(Math.min(left, Integer.MAX_VALUE)));
        }
        int read = in.read(buffer);
        if (read < 0) {
            throw new IOException("The server closed the connection.");
        }
        from = 0;
        to = read;
    }

    /** Reads up to {@code length} bytes; -1 at the end of the stream. */
    int read(byte[] target, int offset, int length) throws IOException {
        if (from < to) {
            int count = Math.min(length, to - from);
            System.arraycopy(buffer, from, target, offset, count);
            from += count;
            return count;
        }
        return in.read(target, offset, length);
    }

    /** Whether bytes were read that no response consumed; then the connection cannot be reused. */
    boolean hasUnread() {
        return from < to;
    }

    void idle(long now) {
        idleSince = now;
    }

    long idleNanos(long now) {
        return now - idleSince;
    }

    /** Whether the server has closed the connection or sent unexpected data; takes a millisecond. */
    boolean isStale() {
        try {
            socket.setSoTimeout(1);
            in.read();
            return true;
        } catch (SocketTimeoutException alive) {
            return false;
        } catch (IOException broken) {
            return true;
        }
    }

    void close() {
        try {
            socket.close();
        } catch (IOException gone) {
            // It is closed either way.
        }
    }
}
