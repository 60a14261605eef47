package dev.toolgate.server.admin.approval;

import static dev.toolgate.server.RunningServer.ACME;
import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Held calls and their answers over HTTP. */
class ApprovalRoutesTest extends HeldCallsFixture {

    @Test
    void a_caller_can_collect_the_outcome_later() {
        String text = text();
        Reply held = later("call/" + text, text);

        assertThat(held.status()).as(held.toString()).isEqualTo(202);
        assertThat(held.header("Preference-Applied")).contains("respond-async");
        String location = held.header("Location").orElseThrow();
        assertThat(location).isEqualTo("/api/v1/calls/call%2F" + text);
        assertThat(held.json().path("status").asString()).isEqualTo("pending");
        assertThat(agent.get(location).status()).isEqualTo(202);
        assertThat(said).doesNotContainKey(text);

        assertThat(approve(id(held)).status()).isEqualTo(200);

        await().untilAsserted(() -> assertThat(agent.get(location).status()).isEqualTo(200));
        assertThat(agent.get(location).json().at("/result/data").asString()).isEqualTo("said " + text);
        assertThat(said.get(text)).isOne();
    }

    @Test
    void a_waiting_caller_gets_the_outcome_and_the_answer_is_recorded() {
        String text = text();
        CompletableFuture<Reply> waiting = CompletableFuture.supplyAsync(() -> execute(agent, text, text));
        String id = question(text);
        operator.post("/api/v1/approvals/" + id, "{\"approved\": true, \"reason\": \"looks fine\"}");

        assertThat(waiting.join().status()).isEqualTo(200);
        JsonNode record =
                admin.get("/api/v1/audit/logs?request_id=" + text).json().path(0);
        assertThat(record.path("approved_by").asString())
                .isEqualTo(operator.get("/api/v1/whoami").json().path("name").asString());
        assertThat(record.path("approval_reason").asString()).isEqualTo("looks fine");
        assertThat(record.path("approved_at").isString()).isTrue();
    }

    @Test
    void the_calling_agent_cannot_answer() {
        String text = text();
        String path = "/api/v1/approvals/" + id(later(text, text));

        assertThat(agent.post(path, "{\"approved\": true}").status()).isEqualTo(403);
        assertThat(agent.get(path).json().path("state").asString()).isEqualTo("pending");
        for (Role role : List.of(Role.AUDITOR, Role.ORCHESTRATOR)) {
            assertThat(server.as(FIRST, role).post(path, "{\"approved\": true}").status())
                    .isEqualTo(403);
        }
        assertThat(said).doesNotContainKey(text);
    }

    @Test
    void an_agent_sees_only_its_own_approval_requests_and_outcomes() {
        grant("agent_2", "true");
        Client second = server.withKey(server.key(FIRST, Role.AGENT, new AgentId("agent_2")));
        String text = text();
        Reply held = later(text, text);

        assertThat(second.get("/api/v1/approvals/" + id(held)).status()).isEqualTo(404);
        assertThat(second.get("/api/v1/approvals").json()).isEmpty();
        assertThat(second.get("/api/v1/calls/" + text).status()).isEqualTo(404);
        assertThat(agent.get("/api/v1/approvals?state=pending").each("approval_id"))
                .contains(id(held));
        assertThat(server.as(FIRST, Role.AUDITOR)
                        .get("/api/v1/approvals/" + id(held))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void another_tenant_cannot_see_or_answer_approval_requests() {
        String text = text();
        Reply held = later(text, text);
        Client outsider = server.as(ACME, Role.ADMIN);

        assertThat(outsider.get("/api/v1/approvals/" + id(held)).status()).isEqualTo(404);
        assertThat(outsider.post("/api/v1/approvals/" + id(held), "{\"approved\": true}")
                        .status())
                .isEqualTo(404);
        assertThat(outsider.get("/api/v1/calls/" + text).status()).isEqualTo(404);
        assertThat(agent.get("/api/v1/calls/" + text).status()).isEqualTo(202);
        assertThat(said).doesNotContainKey(text);
    }

    @Test
    void a_megabyte_of_arguments_is_shown_in_full_until_the_call_ends() {
        String secret = "ghp_" + "a1B2c3D4e5F6".repeat(3);
        String half = "0123456789abcdef".repeat(32 * 1024);
        String request = text();
        String path = "/api/v1/approvals/" + id(later(request, half + " rm -rf / " + secret + ' ' + half + "end"));

        String shown = operator.get(path).json().at("/parameters/text").asString();
        assertThat(shown).startsWith(half + " rm -rf / ").endsWith(half + "end").doesNotContain(secret);
        assertThat(shown).hasSizeGreaterThan(1024 * 1024);
        assertThat(only("pending", request).at("/parameters/text").asString())
                .as("in the list")
                .hasSizeLessThan(8 * 1024);
        assertThat(server.as(ACME, Role.ADMIN).get(path).status()).isEqualTo(404);

        operator.post(path, "{\"approved\": false}");
        await().untilAsserted(() -> assertThat(
                        operator.get(path).json().at("/parameters/text").asString())
                .as("not kept for longer than the call")
                .hasSizeLessThan(8 * 1024));
    }

    @Test
    void a_denial_is_returned_with_its_reason() {
        String text = text();
        Reply held = later(text, text);
        operator.post("/api/v1/approvals/" + id(held), "{\"approved\": false, \"reason\": \"not on Fridays\"}");

        await().untilAsserted(() ->
                assertThat(agent.get("/api/v1/calls/" + text).status()).isEqualTo(403));
        assertThat(agent.get("/api/v1/calls/" + text).json().path("reason").asString())
                .contains("not on Fridays");
    }

    @Test
    void an_approval_for_the_agent_is_valid_until_revoked() {
        grant("trusted", "true");
        Reply held = execute(admin.with("Prefer", "respond-async"), "trusted", text(), text());
        admin.post("/api/v1/approvals/" + id(held), "{\"approved\": true, \"scope\": \"agent\", \"reason\": \"ok\"}");
        assertThat(execute(admin, "trusted", text(), text()).status()).isEqualTo(200);

        String standing = admin.get("/api/v1/approvals/standing")
                .json()
                .valueStream()
                .filter(entry -> entry.path("agent_id").asString().equals("trusted"))
                .findFirst()
                .orElseThrow()
                .path("standing_id")
                .asString();
        assertThat(admin.delete("/api/v1/approvals/standing/" + standing).status())
                .isEqualTo(204);

        assertThat(execute(admin.with("Prefer", "respond-async"), "trusted", text(), text())
                        .status())
                .isEqualTo(202);
    }

    @Test
    void an_approval_for_a_session_needs_a_session() {
        String text = text();
        Reply refused = admin.post(
                "/api/v1/approvals/" + id(later(text, text)), "{\"approved\": true, \"scope\": \"session\"}");

        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.message()).contains("session");
    }

    @Test
    void secrets_are_never_shown() {
        String text = text();
        Reply held = later(text, "password=hunter22secret " + text);

        assertThat(admin.get("/api/v1/approvals/" + id(held)).text())
                .doesNotContain("hunter22secret")
                .contains("[redacted: 14 characters]");
        assertThat(admin.get("/api/v1/approvals/" + id(held))
                        .json()
                        .path("masked_characters")
                        .asInt())
                .isEqualTo(14);
    }

    @Test
    void a_call_without_approval_ignores_respond_async() {
        grant("free", "false");

        Reply reply = execute(admin.with("Prefer", "respond-async"), "free", text(), text());

        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.header("Preference-Applied")).isEmpty();
    }

    @Test
    void open_approval_requests_are_counted() {
        later(text(), text());

        await().untilAsserted(() ->
                assertThat(admin.get("/metrics").text()).containsPattern("toolgate_approvals_open[^\\n]* [1-9]"));
    }
}
