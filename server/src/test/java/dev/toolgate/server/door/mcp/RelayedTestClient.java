package dev.toolgate.server.door.mcp;

import dev.toolgate.core.json.Json;
import dev.toolgate.mcp.client.http.EndpointCheck;
import dev.toolgate.mcp.client.http.HttpEndpoint;
import dev.toolgate.mcp.client.http.HttpTransport;
import dev.toolgate.mcp.client.http.JdkHttpExchanger;
import dev.toolgate.mcp.client.http.ServerAuthorization;
import dev.toolgate.mcp.client.transport.TransportLimits;
import dev.toolgate.mcp.jsonrpc.RpcLimits;
import dev.toolgate.mcp.relay.StdioRelay;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.URI;
import java.nio.channels.Channels;
import java.nio.channels.Pipe;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** A client on the pipes of a relay, as with {@code toolgate mcp}, but in this process. */
final class RelayedTestClient implements AutoCloseable {
    private final OutputStream in;
    private final BufferedReader out;
    private final JdkHttpExchanger exchanger = new JdkHttpExchanger(Duration.ofSeconds(5));
    private final Thread relay;

    RelayedTestClient(String url, String key) throws Exception {
        Pipe requests = Pipe.open();
        Pipe answers = Pipe.open();
        in = Channels.newOutputStream(requests.sink());
        OutputStream written = Channels.newOutputStream(answers.sink());
        out = new BufferedReader(
                new InputStreamReader(Channels.newInputStream(answers.source()), StandardCharsets.UTF_8));
        StdioRelay joined = new StdioRelay(
                new HttpTransport(
                        HttpEndpoint.of(URI.create(url), EndpointCheck.LOOPBACK_WITHOUT_TLS),
                        exchanger,
                        ServerAuthorization.fixed(Map.of("Authorization", "Bearer " + key)),
                        TransportLimits.DEFAULT),
                RpcLimits.DEFAULT,
                Channels.newInputStream(requests.source()),
                written);
        relay = Thread.ofPlatform().name("relay-of-test").start(() -> {
            try (written) {
                joined.run();
            } catch (IOException broken) {
                throw new IllegalStateException(broken);
            }
        });
    }

    void write(String message) throws IOException {
        in.write((Json.MAPPER.readTree(message).toString() + "\n").getBytes(StandardCharsets.UTF_8));
        in.flush();
    }

    JsonNode read() throws IOException {
        return Json.MAPPER.readTree(out.readLine());
    }

    /** Begins a session of the legacy era. */
    void initialize() throws IOException {
        write("""
                {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25",
                 "capabilities": {}, "clientInfo": {"name": "test-client", "version": "1.2"}}}""");
        read();
        write("{\"jsonrpc\": \"2.0\", \"method\": \"notifications/initialized\"}");
    }

    @Override
    public void close() throws IOException {
        in.close();
        try {
            relay.join();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
        exchanger.close();
    }
}
