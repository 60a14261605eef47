package dev.toolgate.server.admin.directory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MemoryOfDeletedAgentTest {
    @TempDir
    private Path home;

    @Test
    void a_new_agent_does_not_see_the_memory_of_a_deleted_one() throws Exception {
        try (RunningServer server = RunningServer.start(home)) {
            Client first = agent(server);
            use(first, "memory_save", "save-1", "{\"key\": \"plan\", \"value\": \"the secret plan\"}");
            assertThat(use(first, "memory_retrieve", "read-1", "{\"key\": \"plan\"}")
                            .text())
                    .contains("the secret plan");

            assertThat(server.admin().delete("/api/v1/agents/forgetful").status())
                    .isEqualTo(204);

            assertThat(items(server)).isZero();
            Client second = agent(server);
            assertThat(use(second, "memory_retrieve", "read-2", "{\"key\": \"plan\"}")
                            .text())
                    .doesNotContain("the secret plan");
        }
    }

    @Test
    void memory_saved_after_deletion_is_not_visible_to_a_new_agent() throws Exception {
        try (RunningServer server = RunningServer.start(home)) {
            agent(server);
            server.admin().delete("/api/v1/agents/forgetful");
            server.database().jdbi().useHandle(handle -> handle.execute("""
                    INSERT INTO memory_items (tenant_id, agent_id, key, value) VALUES ('default', 'forgetful', 'k', 'v')"""));

            Client second = agent(server);

            assertThat(use(second, "memory_retrieve", "read", "{\"key\": \"k\"}")
                            .text())
                    .doesNotContain("\"v\"");
            assertThat(items(server)).isZero();
        }
    }

    private static Client agent(RunningServer server) {
        String key = server.key(RunningServer.FIRST, Role.AGENT, new AgentId("forgetful"));
        for (String tool : new String[] {"memory_save", "memory_retrieve"}) {
            server.admin().put("/api/v1/permissions/forgetful/" + tool, "{\"allowed\": true}");
        }
        return server.withKey(key);
    }

    private static Reply use(Client client, String tool, String request, String parameters) {
        return client.post("/api/v1/tools/execute", """
                {"request_id": "%s", "agent_id": "forgetful", "tool_name": "%s", "operation": "use", "parameters": %s}""".formatted(request, tool, parameters));
    }

    private static int items(RunningServer server) {
        return server.database().jdbi().withHandle(handle -> handle.createQuery("SELECT count(*) FROM memory_items")
                .mapTo(int.class)
                .one());
    }
}
