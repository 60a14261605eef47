package dev.toolgate.bench.load;

import dev.toolgate.mcp.client.http.ClientHttpRequest;
import dev.toolgate.mcp.client.http.ClientHttpResponse;
import dev.toolgate.mcp.client.http.RequestAbort;
import dev.toolgate.mcp.client.http.SocketConnector;
import dev.toolgate.mcp.client.http.SocketHttpExchanger;
import dev.toolgate.mcp.protocol.McpHeaders;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Forwards bodies without reading them, with the gate's HTTP server and HTTP client: the least that a gate made of these
 * parts can cost. Arguments: the port, and the URL of the MCP server.
 */
final class ForwardingProxy extends Handler.Abstract {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private static final List<String> FORWARDED = List.of(
            "Content-Type",
            "Accept",
            McpHeaders.PROTOCOL_VERSION,
            McpHeaders.METHOD,
            McpHeaders.NAME,
            McpHeaders.SESSION_ID);

    private final URI server;
    private final SocketHttpExchanger exchanger;

    private ForwardingProxy(URI server) throws NoSuchAlgorithmException {
        this.server = server;
        this.exchanger = new SocketHttpExchanger(SocketConnector.ANY, SSLContext.getDefault(), TIMEOUT);
    }

    public static void main(String[] args) throws Exception {
        LocalServer.start(Integer.parseInt(args[0]), new ForwardingProxy(URI.create(args[1])));
        Thread.currentThread().join();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws IOException {
        Map<String, String> headers = new LinkedHashMap<>();
        for (String name : FORWARDED) {
            String value = request.getHeaders().get(name);
            if (value != null) {
                headers.put(name, value);
            }
        }
        byte[] body = Content.Source.asInputStream(request).readAllBytes();
        try (ClientHttpResponse answer = exchanger.exchange(
                new ClientHttpRequest(request.getMethod(), server, headers, body, null), new RequestAbort())) {
            response.setStatus(answer.status());
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, answer.mediaType());
            response.write(true, ByteBuffer.wrap(answer.body().readAllBytes()), callback);
        }
        return true;
    }
}
