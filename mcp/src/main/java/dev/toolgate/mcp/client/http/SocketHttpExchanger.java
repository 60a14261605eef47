package dev.toolgate.mcp.client.http;

import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * HTTP/1.1 over blocking sockets, for virtual threads: the calling thread writes the request and reads the response.
 * Connections are kept open; the connector decides which addresses are allowed.
 */
public final class SocketHttpExchanger implements HttpExchanger {
    private static final int TYPICAL_HEAD = 512;

    private final SocketConnector connector;
    private final SSLContext tls;
    private final Duration connectTimeout;
    private final IdleConnections idle = new IdleConnections();

    public SocketHttpExchanger(SocketConnector connector, SSLContext tls, Duration connectTimeout) {
        this.connector = connector;
        this.tls = tls;
        this.connectTimeout = connectTimeout;
    }

    @Override
    public ClientHttpResponse exchange(ClientHttpRequest request, RequestAbort abort) throws IOException {
        URI uri = request.uri();
        byte[] message = message(request);
        String origin = uri.getScheme().toLowerCase(Locale.ROOT) + "://" + uri.getRawAuthority();
        PooledConnection kept = idle.take(origin);
        PooledConnection connection = kept == null ? open(uri) : kept;
        // A late abort must not close a connection that already serves another request.
        AtomicBoolean over = new AtomicBoolean();
        abort.onAbort(() -> {
            if (over.compareAndSet(false, true)) {
                connection.close();
            }
        });
        try {
            connection.write(message);
            ResponseHead head = connection.head(request.timeout());
            ResponseHead.Length length = head.length();
            boolean reusable = head.staysOpen() && !(length instanceof ResponseHead.UntilClose);
            ConnectionBody body = new ConnectionBody(connection, length, () -> {
                if (!over.compareAndSet(false, true)) {
                    return;
                }
                if (reusable) {
                    idle.put(origin, connection);
                } else {
                    connection.close();
                }
            });
            return new ClientHttpResponse(head.status(), head::values, body);
        } catch (IOException | RuntimeException broken) {
            connection.close();
            throw broken;
        }
    }

    private PooledConnection open(URI uri) throws IOException {
        boolean secure = uri.getScheme().equalsIgnoreCase("https");
        String host = uri.getHost().startsWith("[")
                ? uri.getHost().substring(1, uri.getHost().length() - 1)
                : uri.getHost();
        int port = uri.getPort() >= 0 ? uri.getPort() : secure ? 443 : 80;
        try {
            Socket socket = connector.connect(host, port, connectTimeout);
            try {
                socket.setTcpNoDelay(true);
                return new PooledConnection(secure ? secured(socket, host, port) : socket);
            } catch (IOException | RuntimeException failed) {
                socket.close();
                throw failed;
            }
        } catch (IOException | RuntimeException failed) {
            throw new HttpUnreachable(
                    "The server at " + uri.getHost() + " cannot be reached: " + failed.getMessage(), failed);
        }
    }

    private Socket secured(Socket plain, String host, int port) throws IOException {
        SSLSocket socket = (SSLSocket) tls.getSocketFactory().createSocket(plain, host, port, true);
        SSLParameters parameters = socket.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        parameters.setApplicationProtocols(new String[] {"http/1.1"});
        socket.setSSLParameters(parameters);
        // A timeout of the socket would be that of each read, and a server may send a byte at a time.
        AtomicBoolean late = new AtomicBoolean();
        Thread limit = Thread.ofVirtual().name("mcp-handshake").start(() -> closeAfter(connectTimeout, plain, late));
        try {
            socket.startHandshake();
        } catch (IOException failed) {
            throw late.get() ? new SocketTimeoutException("the TLS handshake took too long") : failed;
        } finally {
            limit.interrupt();
        }
        return socket;
    }

    private static void closeAfter(Duration timeout, Socket socket, AtomicBoolean late) {
        try {
            Thread.sleep(timeout);
            late.set(true);
            socket.close();
        } catch (InterruptedException | IOException over) {
            // The handshake has ended.
        }
    }

    private static byte[] message(ClientHttpRequest request) throws IOException {
        URI uri = request.uri();
        byte[] body = request.body();
        String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        StringBuilder head = new StringBuilder(TYPICAL_HEAD);
        head.append(request.method()).append(' ').append(path);
        if (uri.getRawQuery() != null) {
            head.append('?').append(uri.getRawQuery());
        }
        head.append(" HTTP/1.1\r\nHost: ").append(uri.getRawAuthority()).append("\r\n");
        for (Map.Entry<String, String> header : request.headers().entrySet()) {
            head.append(header.getKey()).append(": ").append(header.getValue()).append("\r\n");
            requirePlain(header.getKey());
            requirePlain(header.getValue());
        }
        if (body != null) {
            head.append("Content-Length: ").append(body.length).append("\r\n");
        }
        byte[] start = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
        if (body == null) {
            return start;
        }
        byte[] whole = Arrays.copyOf(start, start.length + body.length);
        System.arraycopy(body, 0, whole, start.length, body.length);
        return whole;
    }

    private static void requirePlain(String text) throws IOException {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if ((c < ' ' && c != '\t') || c > '~') {
                throw new IOException("A header of the request contains a character that is not allowed in headers.");
            }
        }
    }

    @Override
    public void close() {
        idle.close();
    }
}
