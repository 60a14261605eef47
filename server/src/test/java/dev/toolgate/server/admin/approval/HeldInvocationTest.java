package dev.toolgate.server.admin.approval;

import static dev.toolgate.server.RunningServer.ACME;
import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Reply;
import dev.toolgate.server.door.PolicySession;
import dev.toolgate.server.door.Seed;
import org.junit.jupiter.api.Test;

/** Held calls of agent hosts, which collect results in their own format. */
class HeldInvocationTest extends HeldCallsFixture {

    @Test
    void a_held_invocation_is_collected_as_a_tool_result() {
        PolicySession.of("held_1", "agent_1", "{\"name\": \"Say.Something\"}").startedBy(admin);
        String text = text();
        Reply held = invoke("held_1", text);
        String place = held.header("Location").orElseThrow();
        assertThat(place).startsWith("/tools/say/invocations/");
        Reply early = agent.get(place);
        assertThat(early.status()).as(early.toString()).isEqualTo(202);

        approve(id(held));

        await().until(() -> agent.get(place).status() == 200);
        Reply result = agent.get(place);
        assertThat(Seed.complaints("backend-tools/tool-result.json", result.json()))
                .isEmpty();
        assertThat(result.text())
                .isEqualTo(("{'toolName':'say','sessionId':'held_1','taskId':'task 1','stepId':'s/4',"
                                + "'status':'succeeded','outputText':'said " + text + "'}")
                        .replace('\'', '"'));
        assertThat(said).containsEntry(text, 1);
    }

    @Test
    void a_held_invocation_that_is_denied_is_a_denied_result() {
        PolicySession.of("held_2", "agent_1", "{\"name\": \"Say.Something\"}").startedBy(admin);
        Reply held = invoke("held_2", text());

        operator.post("/api/v1/approvals/" + id(held), "{\"approved\": false}");

        String place = held.header("Location").orElseThrow();
        await().until(() -> agent.get(place).status() == 200);
        Reply result = agent.get(place);
        assertThat(result.json().path("status").asString()).isEqualTo("denied");
        assertThat(result.json().path("error").path("code").asString()).isEqualTo("APPROVAL_DENIED");
    }

    @Test
    void a_result_of_another_agent_is_not_found() {
        PolicySession.of("held_3", "agent_1", "{\"name\": \"Say.Something\"}").startedBy(admin);
        Reply held = invoke("held_3", text());
        String place = held.header("Location").orElseThrow();
        approve(id(held));
        await().until(() -> agent.get(place).status() == 200);

        assertThat(server.withKey(server.key(FIRST, Role.AGENT, new AgentId("agent_2")))
                        .get(place)
                        .status())
                .isEqualTo(404);
        assertThat(server.as(ACME, Role.ADMIN).get(place).status()).isEqualTo(404);
    }

    private Reply invoke(String session, String text) {
        return agent.with("Prefer", "respond-async").post("/tools/say/invoke", """
                {"sessionId": "%s", "taskId": "task 1", "stepId": "s/4", "toolName": "say",
                 "arguments": {"text": "%s"}}""".formatted(session, text));
    }
}
