package dev.toolgate.server.openapi;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;

/** Requests for held calls, answers and standing approvals. */
final class ApprovalRequests extends DocumentedRequests {
    ApprovalRequests(RunningServer server, CheckedClient checked) {
        super(server, checked);
    }

    void approvals() {
        String one = "/api/v1/approvals/{approval_id}";
        String call = "GET /api/v1/calls/{request_id}";
        ask(
                "PUT /api/v1/permissions/{agent_id}/{tool_name}",
                "{\"allowed\": true, \"requires_approval\": true}",
                "agent_1",
                "say");
        Client later = admin.with("Prefer", "respond-async");
        Reply held = seen(202, execute(later, "h1", "agent_1", "say", "{\"text\": \"hello\"}"));
        String id = held.json().path("approval_id").asString();
        seen(202, execute(later, "h2", "agent_1", "say", "{\"text\": \"hello\"}"));
        assertThat(seen(200, checked.ask(admin, "GET /api/v1/approvals?state=pending&limit=1"))
                        .next())
                .isPresent();
        seen(403, checked.ask(server.as(FIRST, Role.AGENT), "GET /api/v1/approvals?agent_id=other"));
        seen(400, checked.ask(admin, "GET /api/v1/approvals?state=odd"));
        seen(200, checked.ask(admin, "GET " + one, id));
        seen(404, checked.ask(admin, "GET " + one, "none"));
        seen(202, checked.ask(admin, call, "h1"));
        seen(404, ask("POST " + one, "{\"approved\": true}", "none"));
        seen(403, checked.send(server.as(FIRST, Role.AGENT), "POST " + one, "{\"approved\": true}", id));
        seen(200, ask("POST " + one, "{\"approved\": true, \"reason\": \"fine\", \"scope\": \"agent\"}", id));
        seen(409, ask("POST " + one, "{\"approved\": false}", id));
        await().untilAsserted(() -> seen(200, checked.ask(admin, call, "h1")));
        seen(200, execute(admin, "h3", "agent_1", "say", "{\"text\": \"no question\"}"));
        execute(admin, "h4", "agent_1", "say", "{\"txet\": 5}");
        seen(200, checked.ask(admin, call, "h4"));
        seen(400, checked.ask(admin, call + "?colour=red", "h4"));
        execute(admin, "h6", "agent_1", "say", "{\"text\": \"INTERNAL_ERROR\"}");
        seen(500, checked.ask(admin, call, "h6"));
        seen(403, checked.ask(server.as(FIRST, Role.AUDITOR), call, "h1"));
        execute(admin, "h5", "agent_1", "bash", "{}");
        seen(403, checked.ask(admin, call, "h5"));
        seen(404, checked.ask(admin, call, "none"));
        execute(admin, "h7", "agent_1", "say", "{\"text\": \"of one\"}");
        execute(admin, "h7", "agent_2", "say", "{\"text\": \"of another\"}");
        seen(409, checked.ask(admin, call, "h7"));
        seen(200, checked.ask(admin, call + "?agent_id=agent_1", "h7"));

        String standing = "/api/v1/approvals/standing";
        Reply list = seen(200, checked.ask(admin, "GET " + standing));
        String standingId = list.json().path(0).path("standing_id").asString();
        seen(204, checked.ask(admin, "DELETE " + standing + "/{standing_id}", standingId));
        seen(404, checked.ask(admin, "DELETE " + standing + "/{standing_id}", standingId));
    }
}
