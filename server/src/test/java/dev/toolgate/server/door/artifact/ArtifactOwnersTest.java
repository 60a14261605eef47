package dev.toolgate.server.door.artifact;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.door.PolicySession;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Artifacts are readable by their agent, session, grantees and roles, and by no other agent. */
class ArtifactOwnersTest {
    private static final String SECRET = "what only alice and those who look after her may read";

    @TempDir
    private static Path home;

    private static RunningServer server;
    private static Client alice;
    private static Client bob;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home, Map.of());
        alice = agent("alice");
        bob = agent("bob");
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void an_agent_cannot_read_list_or_delete_what_another_made() {
        String path = upload(alice, "ws_attack", "");
        String tag = alice.get(path).header("ETag").orElseThrow();

        List<Reply> attempts = List.of(
                bob.get(path),
                bob.with("Range", "bytes=0-3").get(path),
                bob.with("If-None-Match", tag).get(path),
                bob.send("HEAD", path, null),
                bob.delete(path),
                bob.get(path + "?session_id=made_up"));

        assertThat(attempts).allSatisfy(reply -> {
            assertThat(reply.status()).as(reply.toString()).isEqualTo(404);
            assertThat(reply.text()).doesNotContain(SECRET, "alice");
            assertThat(reply.header("ETag")).isEmpty();
        });
        assertThat(bob.get("/workspaces/ws_attack/artifacts").text()).isEqualTo("[]");
        assertThat(alice.get(path).text()).isEqualTo(SECRET);
        assertThat(alice.get("/workspaces/ws_attack/artifacts").json()).hasSize(1);
        assertThat(records("ws_attack", "bob"))
                .extracting(record -> record.path("operation").asString() + " "
                        + record.path("status").asString() + " "
                        + record.path("error_code").asString())
                .containsOnly("read REFUSED PERMISSION_DENIED", "delete REFUSED PERMISSION_DENIED")
                .hasSize(5);
    }

    @Test
    void an_agent_cannot_read_what_a_tool_made_for_another() {
        assertThat(server.admin()
                        .put("/api/v1/permissions/alice/file_write", "{\"allowed\":true}")
                        .status())
                .isEqualTo(200);
        Reply wrote = alice.post("/api/v1/tools/execute", """
                {"request_id": "artifact-of-a-tool", "agent_id": "alice", "tool_name": "file_write", "operation": "write",
                 "parameters": {"path": "private.txt", "content": "alice writes"}}""");
        String uri = "/" + wrote.json().at("/result/artifacts/0/uri").asString();

        assertThat(alice.get(uri).text()).contains("alice writes");
        assertThat(bob.get(uri).status()).isEqualTo(404);
        assertThat(bob.get("/workspaces/default/artifacts").text()).doesNotContain("private.txt");
    }

    @Test
    void a_grant_opens_the_artifacts_of_other_agents_but_not_of_people() {
        Client reviewer = agent("reviewer");
        String path = upload(alice, "ws_granted", "");
        String ofPerson = upload(server.admin(), "ws_granted", "");
        assertThat(reviewer.get(path).status()).isEqualTo(404);

        grant("{\"allowed\":true,\"max_uses\":5}");
        assertThat(reviewer.get(path).status()).isEqualTo(404);
        grant("{\"allowed\":true}");

        assertThat(reviewer.get(path).text()).isEqualTo(SECRET);
        assertThat(reviewer.get("/workspaces/ws_granted/artifacts").json()).hasSize(1);
        assertThat(reviewer.get(ofPerson).status()).isEqualTo(404);
        assertThat(reviewer.delete(path).status()).isEqualTo(403);
        assertThat(records("ws_granted", "reviewer"))
                .extracting(record -> record.path("operation").asString() + " "
                        + record.path("status").asString())
                .contains("read COMPLETED", "delete REFUSED");
    }

    @Test
    void artifacts_of_a_session_are_readable_by_its_agent_only() {
        PolicySession.of("sess_shared", "bob", "{\"name\": \"File.Read\"}").startedBy(server.admin());
        String path = upload(server.admin(), "ws_session", "&session_id=sess_shared");

        assertThat(bob.get(path).status()).isEqualTo(404);
        assertThat(bob.get(path + "?session_id=sess_shared").text()).isEqualTo(SECRET);
        assertThat(bob.get("/workspaces/ws_session/artifacts?session_id=sess_shared")
                        .json())
                .hasSize(1);
        assertThat(alice.get(path + "?session_id=sess_shared").status()).isEqualTo(404);
        assertThat(alice.get("/workspaces/ws_session/artifacts?session_id=sess_shared")
                        .status())
                .isEqualTo(404);
    }

    @Test
    void reads_are_recorded_unless_by_the_artifacts_own_agent() {
        String path = upload(alice, "ws_reads", "");

        assertThat(alice.get(path).text()).isEqualTo(SECRET);
        assertThat(server.as(FIRST, Role.OPERATOR).get(path).text()).isEqualTo(SECRET);
        assertThat(server.as(FIRST, Role.ORCHESTRATOR).get(path).text()).isEqualTo(SECRET);

        assertThat(records("ws_reads", "alice"))
                .extracting(record -> record.path("operation").asString())
                .containsExactly("upload");
        List<JsonNode> reads = records("ws_reads", "").stream()
                .filter(record -> record.path("operation").asString().equals("read"))
                .toList();
        assertThat(reads).hasSize(2).allSatisfy(read -> {
            assertThat(read.at("/parameters/agent_id").asString()).isEqualTo("alice");
            assertThat(path).endsWith(read.at("/parameters/artifact_id").asString());
            assertThat(read.toString()).doesNotContain(SECRET);
        });
    }

    @Test
    void an_artifact_without_an_agent_is_readable_by_roles_only() {
        String path = upload(alice, "ws_old", "");
        server.database()
                .jdbi()
                .useHandle(
                        handle -> handle.execute("UPDATE artifacts SET agent_id = NULL WHERE workspace_id = 'ws_old'"));

        assertThat(alice.get(path).status()).isEqualTo(404);
        assertThat(bob.get(path).status()).isEqualTo(404);
        assertThat(server.as(FIRST, Role.OPERATOR).get(path).text()).isEqualTo(SECRET);
    }

    private static Client agent(String name) {
        return server.withKey(server.key(FIRST, Role.AGENT, new AgentId(name)));
    }

    private static void grant(String terms) {
        Reply granted = server.admin().put("/api/v1/permissions/reviewer/artifacts", terms);
        assertThat(granted.status()).as(granted.toString()).isEqualTo(200);
    }

    private static String upload(Client client, String workspace, String more) {
        Reply stored = client.upload(
                "/workspaces/" + workspace + "/artifacts?name=secret.txt" + more,
                "text/plain",
                BodyPublishers.ofString(SECRET));
        assertThat(stored.status()).as(stored.toString()).isEqualTo(201);
        return stored.header("Location").orElseThrow();
    }

    /** The audit records of artifacts in a workspace by this agent; by anyone if empty. */
    private static List<JsonNode> records(String workspace, String agent) {
        return server.admin()
                .get("/api/v1/audit/logs?limit=1000&tool_name=artifacts")
                .json()
                .valueStream()
                .filter(record -> record.path("workspace_id").asString().equals(workspace))
                .filter(record ->
                        agent.isEmpty() || record.path("agent_id").asString().equals(agent))
                .toList();
    }
}
