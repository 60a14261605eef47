package dev.toolgate.runtime.network;

import dev.toolgate.runtime.network.ProxyRefusal.Status;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The request line and headers of a proxy request.
 *
 * @param headers in order of arrival
 * @param rest bytes the client had already sent after the head
 */
record ProxyHead(String method, String target, List<Field> headers, ByteBuffer rest) {
    private static final int MAX_BYTES = 16 * 1024;
    private static final Pattern REQUEST_LINE = Pattern.compile("([A-Z]{1,20}) ([\\x21-\\x7e]+) HTTP/1\\.[01]");
    private static final Pattern FIELD = Pattern.compile("([A-Za-z0-9!#$%&'*+.^_`|~-]+):[ \\t]*([\\t\\x20-\\xff]*)");

    /** One header. */
    record Field(String name, String value) {
        boolean is(String other) {
            return name.equalsIgnoreCase(other);
        }

        boolean isHopByHop() {
            String lower = name.toLowerCase(Locale.ROOT);
            return lower.startsWith("proxy-")
                    || List.of("connection", "keep-alive", "te", "trailer", "upgrade")
                            .contains(lower);
        }
    }

    static ProxyHead read(ReadableByteChannel client) throws IOException, ProxyRefusal {
        ByteBuffer buffer = ByteBuffer.allocate(MAX_BYTES);
        int end;
        while ((end = endOfHead(buffer)) < 0) {
            if (!buffer.hasRemaining()) {
                throw new ProxyRefusal(Status.HEAD_TOO_LARGE, "The request has a head of more than 16 KB");
            }
            if (client.read(buffer) < 0) {
                throw new EOFException("The client closed the connection before it sent a request");
            }
        }
        String head = new String(buffer.array(), 0, end, StandardCharsets.ISO_8859_1);
        buffer.flip().position(end + 4);
        return parse(head.split("\r\n", -1), buffer);
    }

    private static int endOfHead(ByteBuffer buffer) {
        for (int i = 0; i + 3 < buffer.position(); i++) {
            if (buffer.get(i) == '\r'
                    && buffer.get(i + 1) == '\n'
                    && buffer.get(i + 2) == '\r'
                    && buffer.get(i + 3) == '\n') {
                return i;
            }
        }
        return -1;
    }

    private static ProxyHead parse(String[] lines, ByteBuffer rest) throws ProxyRefusal {
        Matcher request = REQUEST_LINE.matcher(lines[0]);
        if (!request.matches()) {
            throw new ProxyRefusal(Status.BAD_REQUEST, "The first line is not an HTTP/1.1 request line");
        }
        List<Field> headers = new ArrayList<>();
        for (int i = 1; i < lines.length; i++) {
            Matcher field = FIELD.matcher(lines[i]);
            if (!field.matches()) {
                throw new ProxyRefusal(Status.BAD_REQUEST, "Line " + (i + 1) + " of the request is not a header");
            }
            headers.add(new Field(field.group(1), field.group(2)));
        }
        return new ProxyHead(request.group(1), request.group(2), List.copyOf(headers), rest);
    }

    /** The length of the body; only a Content-Length is accepted, not chunked encoding. */
    long bodyLength() throws ProxyRefusal {
        if (headers.stream().anyMatch(header -> header.is("Transfer-Encoding"))) {
            throw new ProxyRefusal(Status.LENGTH_REQUIRED, "Send the body with a Content-Length, or use HTTPS");
        }
        List<String> lengths = headers.stream()
                .filter(header -> header.is("Content-Length"))
                .map(header -> header.value().strip())
                .toList();
        if (lengths.isEmpty()) {
            return 0;
        }
        if (lengths.size() > 1 || !lengths.getFirst().matches("[0-9]{1,18}")) {
            throw new ProxyRefusal(Status.BAD_REQUEST, "The Content-Length is not one whole number");
        }
        return Long.parseLong(lengths.getFirst());
    }

    /** The head for the server: one request, to the checked host, then close. */
    byte[] forServer(HttpTarget server) {
        StringBuilder head = new StringBuilder()
                .append(method)
                .append(' ')
                .append(server.pathAndQuery())
                .append(" HTTP/1.1\r\nHost: ")
                .append(server.hostHeader())
                .append("\r\nConnection: close\r\n");
        for (Field header : headers) {
            if (!header.is("Host") && !header.isHopByHop()) {
                head.append(header.name()).append(": ").append(header.value()).append("\r\n");
            }
        }
        return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }
}
