package dev.toolgate.server.door.mcp;

import static dev.toolgate.server.door.mcp.McpTestClient.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.server.Reply;
import dev.toolgate.server.door.mcp.McpTestClient.Era;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Calls of MCP clients that are approved while the client waits. */
class McpHeldStreamTest extends HeldMcpFixture {
    @Override
    String holdFor() {
        return "2m";
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void a_call_that_is_approved_while_its_client_waits_runs_at_once(Era era) throws Exception {
        McpTestClient client = McpTestClient.of(agent, era);
        assertThat(client.tools()).contains("say");
        String text = fresh();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Reply> waiting = threads.submit(() -> client.send("tools/call", """
                    {"name": "say", "arguments": {"text": "%s"}, "_meta": {"progressToken": 7}}""".formatted(text)));
            answer(text, "true");

            Reply reply = waiting.get();
            assertThat(text(reply)).isEqualTo("said " + text);
            assertThat(reply.text()).contains("Waiting for a person to approve the call");
        }
        assertThat(said).containsEntry(text, 1);
    }

    @Test
    void two_concurrent_equal_calls_need_one_approval_and_run_once() throws Exception {
        String text = fresh();
        McpTestClient client = McpTestClient.of(agent, Era.MODERN);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Reply> one = threads.submit(() -> client.call("say", arguments(text)));
            Future<Reply> two = threads.submit(() -> client.call("say", arguments(text)));
            answer(text, "true");
            assertThat(text(one.get())).isEqualTo("said " + text);
            assertThat(text(two.get())).isEqualTo("said " + text);
        }
        assertThat(said).containsEntry(text, 1);
    }
}
