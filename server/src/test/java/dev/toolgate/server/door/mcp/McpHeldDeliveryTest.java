package dev.toolgate.server.door.mcp;

import static dev.toolgate.server.RunningServer.FIRST;
import static dev.toolgate.server.door.mcp.McpTestClient.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.server.LiveStream;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.door.mcp.McpTestClient.Era;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The outcome of an approved call is kept until its client has received it, and no longer. */
class McpHeldDeliveryTest extends HeldMcpFixture {
    private final ChatterTool chatter = new ChatterTool();

    @Override
    String holdFor() {
        return "2m";
    }

    @Override
    Tool<?>[] tools() {
        return new Tool<?>[] {sayTool(), chatter};
    }

    @BeforeAll
    void grant() {
        server.admin().put("/api/v1/permissions/agent_1/chatter", "{\"allowed\": true, \"requires_approval\": true}");
    }

    @Test
    void a_client_that_lost_its_connection_gets_the_outcome_when_it_returns() throws Exception {
        String key = server.key(FIRST, Role.AGENT, RunningServer.AGENT);
        McpTestClient client = McpTestClient.of(server.withKey(key), Era.LEGACY);
        String text = fresh();
        loseConnection(key, client.session(), client.body("tools/call", """
                {"name": "say", "arguments": {"text": "%s"}, "_meta": {"progressToken": 7}}""".formatted(text)));

        answer(text, "true");
        await().until(() -> said.containsKey(text));

        assertThat(text(client.call("say", arguments(text)))).isEqualTo("said " + text);
        assertThat(said).containsEntry(text, 1);
    }

    /** Sends a call and resets the connection while the call waits for an approval. */
    private void loseConnection(String key, String session, String body) throws IOException {
        URI url = URI.create(server.url());
        try (Socket socket = new Socket(url.getHost(), url.getPort())) {
            socket.setSoLinger(true, 0);
            byte[] sent = body.getBytes(StandardCharsets.UTF_8);
            socket.getOutputStream()
                    .write(("POST /mcp HTTP/1.1\r\nHost: " + url.getAuthority()
                                    + "\r\nAuthorization: Bearer " + key
                                    + "\r\nMcp-Session-Id: " + session
                                    + "\r\nMCP-Protocol-Version: 2025-11-25\r\nContent-Type: application/json"
                                    + "\r\nAccept: application/json, text/event-stream\r\nContent-Length: "
                                    + sent.length
                                    + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(sent);
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
            try (Stream<String> lines = in.lines()) {
                assertThat(lines.anyMatch(line -> line.contains("Waiting for a person to approve")))
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void an_outcome_in_delivery_is_not_given_again_after_the_last_use(Era era) throws Exception {
        AgentId hasty = new AgentId("hasty_" + era);
        server.admin().post("/api/v1/agents", "{\"agent_id\": \"" + hasty + "\"}");
        server.admin()
                .put(
                        "/api/v1/permissions/" + hasty + "/say",
                        "{\"allowed\": true, \"requires_approval\": true, \"max_uses\": 1}");
        McpTestClient client = McpTestClient.of(server.withKey(server.key(FIRST, Role.AGENT, hasty)), era);
        String text = fresh();
        String call =
                "{\"name\": \"say\", \"arguments\": " + arguments(text) + ", \"_meta\": {\"progressToken\": \"p\"}}";
        try (LiveStream stream =
                        LiveStream.post(client.http("tools/call", "say"), "/mcp", client.body("tools/call", call));
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            question(text);
            Future<Reply> again = server.database().jdbi().inTransaction(handle -> {
                handle.execute("SELECT 1 FROM mcp_pending_calls WHERE agent_id = ? FOR UPDATE", hasty.value());
                answer(text, "true");
                stream.readUntil("said " + text);
                Future<Reply> waiting = threads.submit(() -> client.send("tools/call", call));
                assertThatThrownBy(() -> waiting.get(1, TimeUnit.SECONDS)).isInstanceOf(TimeoutException.class);
                return waiting;
            });

            assertThat(again.get().text()).contains("Unknown tool: say");
        }
        assertThat(said).containsEntry(text, 1);
    }

    @Test
    void a_call_that_its_client_cancelled_while_it_ran_runs_when_sent_again() throws Exception {
        McpTestClient client = McpTestClient.of(agent, Era.LEGACY);
        String text = fresh();
        String call = "{\"name\": \"chatter\", \"arguments\": " + arguments(text)
                + ", \"_meta\": {\"progressToken\": \"p\"}}";
        for (int id = 1; id <= 2; id++) {
            try (LiveStream stream =
                    LiveStream.post(client.http("tools/call", "chatter"), "/mcp", client.body("tools/call", call))) {
                answer(text, "true");
                stream.readUntil("\"message\":\"" + text);
                client.http("", "")
                        .post(
                                "/mcp",
                                "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/cancelled\", \"params\": {\"requestId\": "
                                        + id + "}}");
                assertThat(stream.readToEnd()).doesNotContain("\"result\"");
            }
        }
    }
}
