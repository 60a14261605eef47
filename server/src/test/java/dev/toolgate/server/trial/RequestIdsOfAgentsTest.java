package dev.toolgate.server.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A request id belongs to the agent that used it: no other agent reads, joins or ends its call. */
@Timeout(120)
class RequestIdsOfAgentsTest {
    private static final String ORDER = "order-1001";

    @TempDir
    private Path home;

    private LiveTrial live;
    private Client a;
    private Client b;

    @BeforeEach
    void start() throws Exception {
        live = LiveTrial.start(home);
        Files.createDirectories(home.resolve("workspace"));
        Files.writeString(home.resolve("workspace/order.txt"), "the file of a");
        live.admin.grant("a", "file_read", "look");
        live.admin.grant("b", "look");
        Client.expect(
                200,
                live.admin.send(
                        "PUT",
                        "/api/v1/permissions/b/note",
                        BodyPublishers.ofString("{\"allowed\": true, \"requires_approval\": true}")));
        a = live.admin.with(live.trial.key(TrialDatabase.FIRST, "agent", "a").text());
        b = live.admin.with(live.trial.key(TrialDatabase.FIRST, "agent", "b").text());
    }

    @AfterEach
    void stop() throws Exception {
        live.close();
    }

    @Test
    void an_agent_cannot_collect_a_call_of_another_by_the_same_id() {
        Reply held = b.executeLater(Client.call(ORDER, "b", "note", "{}"));
        Client.expect(202, held);

        Reply read = a.execute(ORDER, "a", "file_read", "{\"path\": \"order.txt\"}");
        assertThat(read.status()).as(read.text()).isEqualTo(200);
        assertThat(read.text()).contains("the file of a");

        Reply collected = b.get("/api/v1/calls/" + ORDER);
        assertThat(collected.text()).doesNotContain("the file of a");
        assertThat(collected.status()).isEqualTo(202);
        assertThat(a.get("/api/v1/calls/" + ORDER).text()).contains("the file of a");
        assertThat(b.get("/api/v1/calls/" + ORDER + "?agent_id=a").status()).isEqualTo(404);

        Client.expect(
                200,
                live.admin.post(
                        "/api/v1/approvals/" + held.json().path("approval_id").asString(), "{\"approved\": true}"));
        await().until(() -> b.get("/api/v1/calls/" + ORDER).status() == 200);
        assertThat(b.get("/api/v1/calls/" + ORDER).text())
                .contains("noted " + ORDER)
                .doesNotContain("the file of a");
        assertThat(records()).containsExactly("a file_read COMPLETED", "b note COMPLETED");
    }

    @Test
    void an_id_that_one_agent_has_used_is_free_for_another() {
        assertThat(a.execute(ORDER, "a", "look", "{\"text\": \"1\"}").status()).isEqualTo(200);
        assertThat(b.execute(ORDER, "b", "look", "{\"text\": \"2\"}").status()).isEqualTo(200);
        assertThat(a.execute(ORDER, "a", "look", "{\"text\": \"3\"}").status()).isEqualTo(409);

        assertThat(live.look.runs()).isEqualTo(2);
        assertThat(records()).containsExactly("a look COMPLETED", "b look COMPLETED");
    }

    @Test
    void a_caller_for_several_agents_names_the_agent() {
        a.execute(ORDER, "a", "file_read", "{\"path\": \"order.txt\"}");
        assertThat(live.admin.get("/api/v1/calls/" + ORDER).text()).contains("the file of a");
        b.execute(ORDER, "b", "look", "{}");

        assertThat(live.admin.get("/api/v1/calls/" + ORDER).status()).isEqualTo(409);
        assertThat(live.admin.get("/api/v1/calls/" + ORDER).text()).contains("agent_id");
        assertThat(live.admin.get("/api/v1/calls/" + ORDER + "?agent_id=a").text())
                .contains("the file of a");
        assertThat(live.admin.get("/api/v1/calls/" + ORDER + "?agent_id=b").text())
                .contains("seen");
    }

    @Test
    void an_outcome_may_not_be_read_again_once_the_grant_is_revoked() {
        assertThat(a.execute(ORDER, "a", "file_read", "{\"path\": \"order.txt\"}")
                        .status())
                .isEqualTo(200);
        live.admin.revoke("a", "file_read");

        Reply again = a.execute(ORDER, "a", "file_read", "{\"path\": \"order.txt\"}");
        Reply collected = a.get("/api/v1/calls/" + ORDER);

        for (Reply reply : List.of(again, collected)) {
            assertThat(reply.status()).as(reply.text()).isEqualTo(403);
            assertThat(reply.text()).contains("may no longer be read").doesNotContain("the file of a");
        }
        assertThat(records()).containsExactly("a file_read COMPLETED", "a file_read REFUSED", "a file_read REFUSED");
        live.admin.grant("a", "file_read");
        assertThat(a.get("/api/v1/calls/" + ORDER).text()).contains("the file of a");
    }

    private List<String> records() {
        return live
                .trial
                .rows("SELECT agent_id, tool_name, status FROM tool_audit_logs WHERE kind = 'call' ORDER BY id")
                .stream()
                .map(row -> row.get("agent_id") + " " + row.get("tool_name") + " " + row.get("status"))
                .toList();
    }
}
