package dev.toolgate.server.admin.approval;

import static dev.toolgate.server.RunningServer.ACME;
import static dev.toolgate.server.RunningServer.AGENT;
import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.LiveStream;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.operate.SayTool;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The console's stream: its events, who receives them, and how it resumes after a disconnect. */
@Timeout(60)
class ConsoleEventsTest {
    private static final String EVENTS = "/api/v1/console/events";

    @TempDir
    private static Path home;

    private static RunningServer server;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home, new SayTool(Output::text));
        server.admin().put("/api/v1/permissions/held/say", "{\"allowed\": true, \"requires_approval\": true}");
        server.as(ACME, Role.ADMIN)
                .put("/api/v1/permissions/held/say", "{\"allowed\": true, \"requires_approval\": true}");
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void it_starts_with_the_current_state_and_sends_every_change() throws Exception {
        try (LiveStream stream = LiveStream.open(server.admin(), EVENTS)) {
            assertThat(stream.readUntil("event: health") + stream.readUntil("\n\n"))
                    .contains("event: permissions", "\"status\":");
            server.admin().put("/api/v1/permissions/changed/say", "{\"allowed\": true}");
            stream.readUntil("event: permissions");
            String approval = ask(server.admin(), "told");
            assertThat(stream.readUntil(approval)).contains("event: approval_opened");
            server.admin().post("/api/v1/approvals/" + approval, "{\"approved\": false}");
            assertThat(stream.readUntil("event: approval_answered") + stream.readUntil("\n\n"))
                    .contains(approval);
        }
    }

    @Test
    void callers_get_only_events_they_may_see() throws Exception {
        Client agent = server.withKey(server.key(FIRST, Role.AGENT, AGENT));
        Client held = server.withKey(server.key(FIRST, Role.AGENT, new AgentId("held")));
        try (LiveStream other = LiveStream.open(agent, EVENTS);
                LiveStream own = LiveStream.open(held, EVENTS);
                LiveStream tenant = LiveStream.open(server.as(ACME, Role.ADMIN), EVENTS)) {
            String ours = ask(server.admin(), "ours");
            assertThat(own.readUntil(ours)).doesNotContain("event: permissions");
            server.admin().put("/api/v1/permissions/agent_1/say", "{\"allowed\": true, \"requires_approval\": true}");
            String theirs = ask(server.as(ACME, Role.ADMIN), "theirs");
            assertThat(tenant.readUntil(theirs)).doesNotContain(ours);
            String mine = ask(agent, "mine", "agent_1");
            assertThat(other.readUntil(mine)).doesNotContain(ours, theirs, "event: permissions");
        }
    }

    @Test
    void it_resumes_after_the_last_event_id_or_sends_a_reset() throws Exception {
        String id;
        try (LiveStream stream = LiveStream.open(server.admin(), EVENTS)) {
            id = stream.readUntil("event: health").replaceAll("(?s).*id: (\\d+)\n.*", "$1");
        }
        String missed = ask(server.admin(), "missed");
        ask(server.as(ACME, Role.ADMIN), "missed-by-acme");
        try (LiveStream resumed = LiveStream.open(server.admin().with("Last-Event-ID", id), EVENTS)) {
            String later = ask(server.admin(), "later");
            assertThat(resumed.readUntil(missed)).doesNotContain("event: reset", "missed-by-acme");
            assertThat(resumed.readUntil(later)).doesNotContain(missed, "missed-by-acme");
        }
        try (LiveStream late = LiveStream.open(server.admin().with("Last-Event-ID", "1000000"), EVENTS)) {
            late.readUntil("event: reset");
        }
        for (String wrong : List.of("x", "-1", "9".repeat(30), "1 OR 1")) {
            assertThat(server.admin().with("Last-Event-ID", wrong).get(EVENTS).status())
                    .as(wrong)
                    .isEqualTo(400);
        }
    }

    @Test
    void it_ends_when_the_key_is_revoked() throws Exception {
        String key = server.key(FIRST, Role.OPERATOR, null);
        try (LiveStream stream = LiveStream.open(server.withKey(key), EVENTS)) {
            stream.readUntil("event: health");
            String id = server.withKey(key)
                    .get("/api/v1/whoami")
                    .json()
                    .path("name")
                    .asString()
                    .replace("key:", "");
            assertThat(server.admin().delete("/api/v1/keys/" + id).status()).isEqualTo(204);
            String after = ask(server.admin(), "after-revocation");
            assertThat(stream.readToEnd()).doesNotContain(after);
        }
    }

    private static String ask(Client client, String request) {
        return ask(client, request, "held");
    }

    private static String ask(Client client, String request, String agent) {
        return client.with("Prefer", "respond-async")
                .post("/api/v1/tools/execute", """
                        {"request_id": "%s", "agent_id": "%s", "tool_name": "say", "operation": "x",
                         "parameters": {"text": "hi"}}""".formatted(request, agent))
                .json()
                .path("approval_id")
                .asString();
    }
}
