package dev.toolgate.server.door.mcp;

import static dev.toolgate.server.door.mcp.McpTestClient.result;
import static dev.toolgate.server.door.mcp.McpTestClient.text;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.server.Reply;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Held calls that the user of the client approves in a form. */
class McpFormsTest extends HeldMcpFixture {
    private static final String FORMS = "{\"elicitation\": {\"form\": {}}}";
    private static final String YES = "{\"action\": \"accept\", \"content\": {\"approve\": true}}";

    @Override
    String holdFor() {
        return "6s";
    }

    /** A client of an admin, who acts for the agent and may approve calls. */
    private McpTestClient admin() {
        return McpTestClient.modern(server.admin().with("X-Agent-ID", "agent_1"), FORMS);
    }

    private static Reply answer(McpTestClient client, String text, String state, String answer) {
        return client.send("tools/call", """
                {"name": "say", "arguments": {"text": "%s"}, "requestState": "%s",
                 "inputResponses": {"approval": %s}}""".formatted(text, state, answer));
    }

    private static String state(JsonNode asked) {
        assertThat(asked.path("resultType").asString()).as(asked.toString()).isEqualTo("input_required");
        return asked.path("requestState").asString();
    }

    @Test
    void a_yes_of_an_approver_lets_the_exact_call_run_once() {
        McpTestClient client = admin();
        String text = fresh();
        JsonNode asked = result(client.call("say", arguments(text)));
        assertThat(asked.path("inputRequests").path("approval").toString()).contains(text);
        String state = state(asked);

        assertThat(text(answer(client, text, state, YES))).isEqualTo("said " + text);
        assertThat(said).containsEntry(text, 1);
        JsonNode record = server.admin()
                .get("/api/v1/audit/logs?agent_id=agent_1&q=" + text)
                .json()
                .path(0);
        assertThat(record.path("approved_by").asString()).startsWith("key:");

        // The state is used up: the same call needs a new approval, and the old answer does not apply to it.
        assertThat(text(answer(client, text, state, YES))).contains("a person must approve");
        assertThat(said).containsEntry(text, 1);
    }

    @Test
    void the_answer_for_one_call_is_not_accepted_for_another() {
        McpTestClient client = admin();
        String one = fresh();
        String other = fresh();
        String state = state(result(client.call("say", arguments(one))));

        assertThat(text(answer(client, other, state, YES))).contains("a person must approve");
        assertThat(said).doesNotContainKeys(one, other);
    }

    @Test
    void closing_the_form_leaves_the_approval_request_open() {
        McpTestClient client = admin();
        String text = fresh();
        String state = state(result(client.call("say", arguments(text))));

        assertThat(text(answer(client, text, state, "{\"action\": \"cancel\"}")))
                .contains("a person must approve");
        answer(text, "true");
        await().until(() -> said.containsKey(text));
        assertThat(text(client.call("say", arguments(text)))).isEqualTo("said " + text);
    }

    @Test
    void a_client_that_supports_urls_gets_the_address_of_the_console() {
        McpTestClient client = McpTestClient.modern(agent, "{\"elicitation\": {\"form\": {}, \"url\": {}}}");
        String text = fresh();
        JsonNode asked = result(client.call("say", arguments(text)));
        JsonNode page = asked.path("inputRequests").path("approval").path("params");
        assertThat(page.path("mode").asString()).isEqualTo("url");
        assertThat(page.path("url").asString())
                .isEqualTo(server.url() + "/console/approvals?id="
                        + question(text).path("approval_id").asString());

        // An answer from the agent's own client is not an approval.
        assertThat(text(answer(client, text, state(asked), YES))).contains("a person must approve");
        assertThat(said).doesNotContainKey(text);
        answer(text, "true");
        await().until(() -> said.containsKey(text));
        String state = asked.path("requestState").asString();
        assertThat(text(answer(client, text, state, "{\"action\": \"accept\"}")))
                .isEqualTo("said " + text);
        assertThat(said).containsEntry(text, 1);
    }

    @Test
    void an_agent_is_not_asked_about_its_own_calls() {
        McpTestClient client = McpTestClient.modern(agent, FORMS);
        String text = fresh();

        assertThat(text(answer(client, text, "made-up", YES))).contains("a person must approve");
        assertThat(text(client.call("say", arguments(text)))).contains("a person must approve");
        assertThat(said).doesNotContainKey(text);
    }
}
