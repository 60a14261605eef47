package dev.toolgate.server.door.mcp;

import static dev.toolgate.server.RunningServer.FIRST;
import static dev.toolgate.server.door.mcp.McpTestClient.result;
import static dev.toolgate.server.door.mcp.McpTestClient.text;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.server.Reply;
import dev.toolgate.server.door.mcp.McpTestClient.Era;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Callers that are blocked because too many of their calls were refused cost the database nothing. */
class McpRefusalFloodTest extends HeldMcpFixture {
    private static final int LIMIT = 2;

    @Override
    String holdFor() {
        return "1s";
    }

    @Override
    Map<String, String> options() {
        return Map.of(
                "dialect.mcp.hold_for",
                holdFor(),
                "limits.refused.calls",
                "" + LIMIT,
                "limits.refused.period",
                "1h",
                "limits.per_agent.calls",
                "" + LIMIT,
                "limits.per_agent.period",
                "1h");
    }

    @Override
    Tool<?>[] tools() {
        return new Tool<?>[] {sayTool(), new ServerSources.Resources(), new ServerSources.Prompts()};
    }

    private McpTestClient client(String agent, Era era) {
        server.admin().post("/api/v1/agents", "{\"agent_id\": \"" + agent + "\"}");
        return McpTestClient.of(server.withKey(server.key(FIRST, Role.AGENT, new AgentId(agent))), era);
    }

    private void grantHeld(String agent) {
        server.admin().put("/api/v1/permissions/" + agent + "/say", "{\"allowed\": true, \"requires_approval\": true}");
    }

    private void execute(String statement) {
        server.database().jdbi().useHandle(handle -> handle.execute(statement));
    }

    private int rows(String agent) {
        return server.database().jdbi().withHandle(handle -> handle.createQuery(
                        "SELECT count(*) FROM mcp_pending_calls WHERE agent_id = :agent")
                .bind("agent", agent)
                .mapTo(Integer.class)
                .one());
    }

    private static String code(Reply reply) {
        return result(reply).path("_meta").path("toolgate/error").path("code").asString();
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void a_blocked_caller_without_grants_needs_no_lookups(Era era) {
        McpTestClient flooding = client("flooding_" + era, era);
        McpTestClient other = client("other_" + era, era);
        for (int i = 0; i <= LIMIT; i++) {
            assertThat(flooding.call("nothing", "{}").text()).contains("Unknown tool: nothing");
        }
        String named = ", \"arguments\": {}, \"_meta\": {\"toolgate/request-id\": \"named\"}}";
        execute("ALTER TABLE mcp_pending_calls RENAME TO pending_away");
        execute("ALTER TABLE approvals RENAME TO approvals_away");
        try {
            assertThat(flooding.call("nothing", "{}").text()).contains("Unknown tool: nothing");
            assertThat(flooding.call("say", arguments("hidden")).text()).contains("Unknown tool: say");
            for (String tool : new String[] {"nothing", "say"}) {
                assertThat(flooding.send("tools/call", "{\"name\": \"" + tool + "\"" + named)
                                .text())
                        .contains("Unknown tool: " + tool);
            }
            assertThat(flooding.send("resources/read", "{\"uri\": \"art://1\"}").text())
                    .contains("There is no resource");
            assertThat(flooding.send("prompts/get", "{\"name\": \"art__praise\"}")
                            .text())
                    .contains("Unknown prompt");
            assertThat(other.call("nothing", "{}").text()).doesNotContain("Unknown tool");
        } finally {
            execute("ALTER TABLE pending_away RENAME TO mcp_pending_calls");
            execute("ALTER TABLE approvals_away RENAME TO approvals");
        }
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void a_blocked_caller_with_a_held_tool_stores_nothing(Era era) {
        String agent = "invalid_" + era;
        McpTestClient client = client(agent, era);
        grantHeld(agent);
        for (int i = 0; i < LIMIT; i++) {
            assertThat(code(client.call("say", "{\"wrong\": " + i + "}"))).isEqualTo("INVALID_REQUEST");
        }

        for (int i = 0; i < 3; i++) {
            assertThat(code(client.call("say", arguments(fresh())))).isEqualTo("RATE_LIMITED");
        }

        assertThat(rows(agent)).isZero();
    }

    @Test
    void a_call_over_the_rate_limit_leaves_no_row() {
        McpTestClient client = client("busy", Era.MODERN);
        grantHeld("busy");
        String text = fresh();
        for (int i = 0; i < LIMIT; i++) {
            assertThat(text(client.call("say", arguments(text + i)))).contains("a person must approve");
        }

        assertThat(code(client.call("say", arguments(text)))).isEqualTo("RATE_LIMITED");
        assertThat(code(client.call("say", arguments(text + 0)))).isEqualTo("RATE_LIMITED");

        assertThat(rows("busy")).isEqualTo(LIMIT);
    }
}
