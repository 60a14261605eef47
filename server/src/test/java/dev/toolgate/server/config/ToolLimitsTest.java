package dev.toolgate.server.config;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The effect of tool settings on callers. */
class ToolLimitsTest {
    @TempDir
    private static Path folder;

    private static Path central;
    private static RunningServer server;
    private static Client agent;

    @BeforeAll
    static void start() throws Exception {
        central = Files.createDirectory(folder.resolve("central"));
        Files.writeString(central.resolve("shared.txt"), "for the whole team");
        server = RunningServer.start(
                Files.createDirectory(folder.resolve("home")),
                Map.of("tools.bash.max_timeout", "5s", "central_root", central.toString()));
        agent = server.as(FIRST, Role.AGENT);
        for (String tool : new String[] {"bash", "file_read"}) {
            server.admin().put("/api/v1/permissions/agent_1/" + tool, "{\"allowed\": true}");
        }
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void a_time_out_above_the_maximum_is_refused_with_the_field() {
        Reply reply = execute("bash", "{\"command\": \"echo hi\", \"timeout\": 6}");

        assertThat(reply.status()).as(reply.toString()).isEqualTo(400);
        assertThat(reply.text()).contains("'timeout' must be at most 5 seconds");
        assertThat(execute("bash", "{\"command\": \"echo hi\", \"timeout\": 5}").text())
                .contains("hi");
    }

    @Test
    void a_default_time_out_is_limited_to_the_maximum() {
        Reply reply = execute("RunCommand", "{\"command\": \"sleep 60\"}");

        assertThat(reply.status()).as(reply.toString()).isEqualTo(504);
    }

    @Test
    void the_central_root_is_a_second_folder_for_files() {
        assertThat(execute("file_read", "{\"path\": \"" + central.resolve("shared.txt") + "\"}")
                        .text())
                .contains("for the whole team");
    }

    private static Reply execute(String tool, String args) {
        return agent.post("/execute-tool", "{\"tool\": \"" + tool + "\", \"args\": " + args + "}");
    }
}
