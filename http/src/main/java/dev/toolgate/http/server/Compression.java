package dev.toolgate.http.server;

import dev.toolgate.http.request.AcceptedEncodings;
import dev.toolgate.http.routing.InFlight;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;

/**
 * Compresses large JSON responses for clients that accept it. Only responses to GET: tool calls stay fast, and a
 * response with a new secret, such as a key, is never compressed. See decision 40.
 */
final class Compression {
    /** Below this, headers and packets cost more than is saved; the response with the CSRF token is far smaller. */
    private static final int MIN_BYTES = 4 << 10;

    /** The fastest level already shrinks JSON to about a tenth; this one saves another sixth of a permission matrix. */
    private static final int LEVEL = 5;

    private Compression() {}

    /** The body to send; sets the headers that describe it. */
    static byte[] of(InFlight flight, byte[] body) {
        if (body.length < MIN_BYTES || !HttpMethod.GET.is(flight.request.getMethod())) {
            return body;
        }
        HttpFields.Mutable headers = flight.response.getHeaders();
        headers.add(HttpHeader.VARY, "Accept-Encoding");
        String accepted = flight.request.getHeaders().get(HttpHeader.ACCEPT_ENCODING);
        if (!AcceptedEncodings.of(accepted).includes("gzip")) {
            return body;
        }
        headers.put(HttpHeader.CONTENT_ENCODING, "gzip");
        return gzip(body);
    }

    private static byte[] gzip(byte[] body) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream(body.length / 4);
        try (OutputStream out = new FastGzip(compressed)) {
            out.write(body);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        return compressed.toByteArray();
    }

    private static final class FastGzip extends GZIPOutputStream {
        FastGzip(OutputStream out) throws IOException {
            super(out, 8 << 10);
            def.setLevel(LEVEL);
        }
    }
}
