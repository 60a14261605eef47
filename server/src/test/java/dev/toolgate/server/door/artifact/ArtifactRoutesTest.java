package dev.toolgate.server.door.artifact;

import static dev.toolgate.server.RunningServer.ACME;
import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class ArtifactRoutesTest {
    private static final String DIGITS = "0123456789";

    @TempDir
    private static Path home;

    private static RunningServer server;
    private static Client agent;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home, Map.of("artifacts.max_size", "1MB", "artifacts.quota_per_tenant", "2MB"));
        agent = server.as(FIRST, Role.AGENT);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void a_stored_artifact_is_described_listed_and_read_back() {
        Reply stored = upload(agent, "ws_read", "text/csv; charset=utf-8", "a,b\n1,ü\n", "?name=table.csv");

        assertThat(stored.status()).as(stored.text()).isEqualTo(201);
        JsonNode facts = stored.json();
        assertThat(facts.path("uri").asString())
                .isEqualTo("workspaces/ws_read/artifacts/" + facts.path("id").asString());
        assertThat(stored.header("Location")).contains("/" + facts.path("uri").asString());
        assertThat(facts.path("size").asLong()).isEqualTo(9);
        assertThat(facts.path("agent_id").asString()).isEqualTo("agent_1");
        assertThat(server.admin().get("/workspaces/ws_read/artifacts").json())
                .singleElement()
                .isEqualTo(facts);
        Reply read = agent.get(location(stored));
        assertThat(read.text()).isEqualTo("a,b\n1,ü\n");
        assertThat(read.header("Content-Type")).contains("text/csv; charset=utf-8");
        assertThat(read.header("Content-Length")).contains("9");
        assertThat(read.header("ETag")).contains("\"" + facts.path("sha256").asString() + "\"");
    }

    @Test
    void html_is_sent_as_an_attachment_that_cannot_run_scripts() {
        Reply read = agent.get(location(upload(agent, "ws_html", "text/html", "<script>alert(1)</script>", "")));

        assertThat(read.header("Content-Disposition").orElseThrow()).startsWith("attachment; filename=\"artifact\"");
        assertThat(read.header("X-Content-Type-Options")).contains("nosniff");
        assertThat(read.header("Content-Security-Policy")).contains("default-src 'none'; sandbox");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "..%2F..%2Fetc%2Fpasswd | passwd | passwd",
                "C%3A%5Cboot.ini | boot.ini | boot.ini",
                "a%22%3B%20x%3D%22b | a__ x__b | a%22%3B%20x%3D%22b",
                "%E6%BC%A2%F0%9F%98%80.txt | __.txt | %E6%BC%A2%F0%9F%98%80.txt",
                ".. | artifact | artifact",
            })
    void a_name_cannot_inject_headers_or_paths(String sent, String plain, String encoded) {
        Reply read = agent.get(location(upload(agent, "ws_names", "text/plain", "x", "?name=" + sent)));

        assertThat(read.header("Content-Disposition"))
                .contains("attachment; filename=\"" + plain + "\"; filename*=UTF-8''" + encoded);
        assertThat(read.header("X-Evil")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "bytes=0-9, 206, 0123456789, bytes 0-9/10",
        "bytes=0-0, 206, 0, bytes 0-0/10",
        "bytes=3-5, 206, 345, bytes 3-5/10",
        "bytes=7-, 206, 789, bytes 7-9/10",
        "bytes=7-99999999999, 206, 789, bytes 7-9/10",
        "bytes=-3, 206, 789, bytes 7-9/10",
        "bytes=-99, 206, 0123456789, bytes 0-9/10",
        "bytes=10-, 416, '', bytes */10",
        "bytes=-0, 416, '', bytes */10",
        "bytes=5-3, 200, 0123456789, ",
        "'bytes=0-1,4-5', 200, 0123456789, ",
        "bytes=-, 200, 0123456789, ",
        "bytes=a-b, 200, 0123456789, ",
        "items=0-1, 200, 0123456789, ",
        "bytes=99999999999999999999-, 200, 0123456789, ",
    })
    void ranges(String range, int status, String expected, String contentRange) {
        Reply read = agent.with("Range", range).get(location(upload(agent, "ws_range", "text/plain", DIGITS, "")));

        assertThat(read.status()).isEqualTo(status);
        assertThat(read.header("Content-Range")).isEqualTo(Optional.ofNullable(contentRange));
        if (status != 416) {
            assertThat(read.text()).isEqualTo(expected);
            assertThat(read.header("Content-Length")).contains("" + expected.length());
        }
    }

    @Test
    void a_matching_etag_gets_304() {
        String path = location(upload(agent, "ws_etag", "text/plain", DIGITS, ""));
        String tag = agent.get(path).header("ETag").orElseThrow();

        for (String sent : List.of(tag, "W/" + tag, "\"other\", " + tag, "*")) {
            Reply same = agent.with("If-None-Match", sent).get(path);
            assertThat(same.status()).as(sent).isEqualTo(304);
            assertThat(same.text()).isEmpty();
        }
        assertThat(agent.with("If-None-Match", "\"other\"").get(path).status()).isEqualTo(200);
        Client ranged = agent.with("Range", "bytes=1-2");
        assertThat(ranged.with("If-Range", tag).get(path).text()).isEqualTo("12");
        assertThat(ranged.with("If-Range", "\"other\"").get(path).text()).isEqualTo(DIGITS);
    }

    @Test
    void head_returns_the_headers_without_the_content() {
        String path = location(upload(agent, "ws_head", "text/plain", DIGITS, ""));

        Reply head = agent.send("HEAD", path, null);

        assertThat(head.status()).isEqualTo(200);
        assertThat(head.text()).isEmpty();
        assertThat(head.header("Content-Length")).contains("10");
        assertThat(head.header("ETag")).isEqualTo(agent.get(path).header("ETag"));
    }

    @Test
    void pages_lead_to_each_other() {
        List<String> stored = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            stored.addFirst(upload(agent, "ws%2Fpages", "text/plain", "n" + i, "")
                    .json()
                    .path("id")
                    .asString());
        }
        List<String> listed = new ArrayList<>();
        Optional<String> path = Optional.of("/workspaces/ws%2Fpages/artifacts?limit=2");
        while (path.isPresent()) {
            Reply page = agent.get(path.get());
            listed.addAll(page.each("id"));
            path = page.next();
        }

        assertThat(listed).containsExactlyInAnyOrderElementsOf(stored);
        assertThat(agent.get("/workspaces/ws%2Fpages/artifacts?page=madeup").status())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/workspaces/ws/artifacts/none",
                "/workspaces/ws/artifacts/art_00000000-0000-0000-0000-000000000000",
                "/workspaces/ws/artifacts/..%2F..%2F..%2Fetc%2Fpasswd",
                "/workspaces/ws/artifacts/%2e%2e",
                "/workspaces/..%2f..%2fetc/artifacts/art_00000000-0000-0000-0000-000000000000",
                "/workspaces/%00/artifacts/art_00000000-0000-0000-0000-000000000000",
                "/workspaces/%20/artifacts/art_00000000-0000-0000-0000-000000000000",
            })
    void unknown_artifacts_are_not_found(String path) {
        for (String method : List.of("GET", "HEAD", "DELETE")) {
            Reply reply = agent.send(method, path, null);
            assertThat(reply.status()).as(method + " " + path).isIn(400, 404);
            assertThat(reply.text()).doesNotContain("root:");
        }
    }

    @Test
    void an_artifact_of_another_tenant_is_not_found() {
        String path = location(upload(server.admin(), "shared", "text/plain", "secret of the first", ""));
        Client other = server.as(ACME, Role.ADMIN);

        Reply theirs = other.get(path);
        Reply absent = other.get("/workspaces/shared/artifacts/art_00000000-0000-0000-0000-000000000000");
        assertThat(theirs.status()).isEqualTo(absent.status()).isEqualTo(404);
        assertThat(theirs.message()).isEqualTo(absent.message());
        assertThat(other.delete(path).status()).isEqualTo(404);
        assertThat(other.get("/workspaces/shared/artifacts").text()).isEqualTo("[]");
        assertThat(server.admin().get(path).text()).isEqualTo("secret of the first");
        assertThat(server.admin().delete(path).status()).isEqualTo(204);
    }

    @Test
    void an_agent_deletes_only_its_own_artifacts() {
        String own = location(upload(agent, "ws_delete", "text/plain", "mine", ""));
        Client colleague = server.withKey(server.key(FIRST, Role.AGENT, new AgentId("agent_2")));

        assertThat(colleague.get(own).status()).isEqualTo(404);
        assertThat(colleague.delete(own).status()).isEqualTo(404);
        assertThat(agent.get(own).text()).isEqualTo("mine");
        assertThat(agent.delete(own).status()).isEqualTo(204);
        assertThat(agent.get(own).status()).isEqualTo(404);
        String again = location(upload(agent, "ws_delete", "text/plain", "mine", ""));
        assertThat(server.as(FIRST, Role.OPERATOR).delete(again).status()).isEqualTo(204);
    }

    @Test
    void an_auditor_lists_artifacts_but_cannot_read_them() {
        String path = location(upload(agent, "ws_audit", "text/plain", "confidential", ""));
        Client auditor = server.as(FIRST, Role.AUDITOR);

        assertThat(auditor.get("/workspaces/ws_audit/artifacts").json()).hasSize(1);
        assertThat(auditor.get(path).status()).isEqualTo(403);
        assertThat(auditor.send("HEAD", path, null).status()).isEqualTo(403);
        assertThat(auditor.delete(path).status()).isEqualTo(403);
        assertThat(upload(auditor, "ws_audit", "text/plain", "x", "").status()).isEqualTo(403);
    }

    @Test
    void an_upload_beyond_a_limit_is_refused_and_leaves_nothing() {
        Client acme = server.as(ACME, Role.AGENT);
        Reply tooLarge = upload(acme, "ws_limits", "text/plain", "x".repeat((1 << 20) + 1), "");
        assertThat(tooLarge.status()).isEqualTo(413);
        assertThat(tooLarge.message()).contains("1048576");
        Reply endless = acme.upload(
                "/workspaces/ws_limits/artifacts",
                "text/plain",
                BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[3 << 20])));
        assertThat(endless.status()).isEqualTo(413);

        assertThat(upload(acme, "ws_limits", "text/plain", "x".repeat(1 << 20), "")
                        .status())
                .isEqualTo(201);
        String last = location(upload(acme, "ws_limits", "text/plain", "y".repeat(1 << 20), ""));
        Reply full = upload(acme, "ws_limits", "text/plain", "z", "");
        assertThat(full.status()).isEqualTo(507);
        assertThat(full.errorCode()).isEqualTo("WORKSPACE_UPLOAD_FAILED");
        assertThat(full.message()).contains("2097152", "quota");

        assertThat(acme.delete(last).status()).isEqualTo(204);
        assertThat(upload(acme, "ws_limits", "text/plain", "z", "").status()).isEqualTo(201);
        assertThat(acme.get("/workspaces/ws_limits/artifacts").json()).hasSize(2);
    }

    @Test
    void an_aborted_upload_leaves_nothing() throws Exception {
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), URI.create(server.url()).getPort())) {
            String key = server.key(FIRST, Role.AGENT, RunningServer.AGENT);
            socket.getOutputStream()
                    .write(("POST /workspaces/ws_cut/artifacts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " + key
                                    + "\r\nContent-Length: 100000\r\n\r\n" + "x".repeat(50_000))
                            .getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            socket.shutdownOutput();
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 400");
        }

        assertThat(agent.get("/workspaces/ws_cut/artifacts").text()).isEqualTo("[]");
        assertThat(home.resolve("artifacts/incoming")).isEmptyDirectory();
    }

    private static Reply upload(Client client, String workspace, String type, String text, String query) {
        return client.upload("/workspaces/" + workspace + "/artifacts" + query, type, BodyPublishers.ofString(text));
    }

    private static String location(Reply stored) {
        assertThat(stored.status()).as(stored.text()).isEqualTo(201);
        return stored.header("Location").orElseThrow();
    }
}
