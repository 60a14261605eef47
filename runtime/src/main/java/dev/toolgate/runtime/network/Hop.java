package dev.toolgate.runtime.network;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.BasicHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.DefaultHttpClientConnectionOperator;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.config.CharCodingConfig;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.config.RegistryBuilder;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.net.URIAuthority;
import org.apache.hc.core5.util.Timeout;

/**
 * Sends one request over a new connection to addresses that were checked before. Uses the minimal client: no redirects,
 * cookies, authentication, retries, proxies or decompression.
 */
record Hop(TlsSocketStrategy tls, CallSockets sockets) {
    static final int MAX_BODY_BYTES = 10 * 1024 * 1024;

    private static final Set<Integer> REDIRECTS = Set.of(301, 302, 303, 307, 308);
    private static final Timeout CONNECT_TIMEOUT = Timeout.ofSeconds(10); // leaves time to try the next address
    private static final ManagedHttpClientConnectionFactory CONNECTIONS = ManagedHttpClientConnectionFactory.builder()
            .http1Config(Http1Config.custom()
                    .setMaxHeaderCount(200)
                    .setMaxLineLength(16 * 1024)
                    .build())
            .charCodingConfig(CharCodingConfig.custom()
                    .setCharset(StandardCharsets.UTF_8)
                    .setMalformedInputAction(CodingErrorAction.REPLACE)
                    .setUnmappableInputAction(CodingErrorAction.REPLACE)
                    .build())
            .build();

    Reply send(OutgoingRequest request, List<InetAddress> checked) throws IOException {
        HttpTarget target = request.target();
        HttpHost host = new HttpHost(
                target.scheme(), target.authority().host(), target.authority().port());
        BasicHttpClientConnectionManager connection = connection(new PinnedAddresses(host.getHostName(), checked));
        try {
            return reply(HttpClients.createMinimal(connection).executeOpen(host, encode(request, host), null));
        } finally {
            // Immediate: a graceful close would first read everything the server still sends.
            connection.close(CloseMode.IMMEDIATE);
        }
    }

    private BasicHttpClientConnectionManager connection(PinnedAddresses addresses) {
        BasicHttpClientConnectionManager connection = new BasicHttpClientConnectionManager(
                new DefaultHttpClientConnectionOperator(
                        sockets,
                        null,
                        addresses,
                        RegistryBuilder.<TlsSocketStrategy>create()
                                .register("https", tls)
                                .build()),
                CONNECTIONS);
        connection.setConnectionConfig(ConnectionConfig.custom()
                .setConnectTimeout(CONNECT_TIMEOUT)
                .setSocketTimeout(Timeout.INFINITE) // Deadline limits the whole call
                .build());
        return connection;
    }

    private static ClassicHttpRequest encode(OutgoingRequest request, HttpHost host) {
        BasicClassicHttpRequest encoded = new BasicClassicHttpRequest(
                request.method(), host, request.target().pathAndQuery());
        if (request.target().hasDefaultPort()) {
            encoded.setAuthority(new URIAuthority(host.getHostName())); // some servers do not accept ":80"
        }
        encoded.setHeader("Accept", "*/*");
        encoded.setHeader("Accept-Encoding", "identity");
        encoded.setHeader("User-Agent", "toolgate");
        request.headers().values().forEach(encoded::setHeader);
        encoded.setHeader("Connection", "close");
        request.body()
                .ifPresent(body -> encoded.setEntity(new ByteArrayEntity(
                        body.getBytes(StandardCharsets.UTF_8),
                        request.headers().has("Content-Type") ? null : defaultContentType(body))));
        return encoded;
    }

    private static ContentType defaultContentType(String body) {
        String start = body.stripLeading();
        return start.startsWith("{") || start.startsWith("[")
                ? ContentType.APPLICATION_JSON
                : ContentType.create("text/plain", StandardCharsets.UTF_8);
    }

    private static Reply reply(ClassicHttpResponse response) throws IOException {
        Header location = response.getFirstHeader("Location");
        if (location != null && location.getValue() != null && REDIRECTS.contains(response.getCode())) {
            return new Reply.Redirect(response.getCode(), location.getValue());
        }
        return new Reply.Answer(
                response.getCode(), Reply.reason(response), Reply.headers(response), body(response.getEntity()));
    }

    // The stream is not closed, because that would read it to its end; the connection is closed instead.
    private static byte[] body(HttpEntity entity) throws IOException {
        if (entity == null) {
            return new byte[0];
        }
        if (entity.getContentLength() > MAX_BODY_BYTES) {
            throw new CappedStream.TooLarge();
        }
        byte[] sent = new CappedStream(entity.getContent(), MAX_BODY_BYTES).readAllBytes();
        return switch (Optional.ofNullable(entity.getContentEncoding())
                .orElse("")
                .toLowerCase(Locale.ROOT)) {
            case "gzip", "x-gzip" -> Gunzip.unpack(sent, MAX_BODY_BYTES);
            default -> sent;
        };
    }
}
