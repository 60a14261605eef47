package dev.toolgate.server.admin.identity;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConsoleLoginRoutesTest {
    private static final String SESSION = "/api/v1/console/session";

    @TempDir
    private static Path home;

    private static RunningServer server;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void logging_in_sets_an_http_only_same_site_cookie() {
        Reply in = logIn(server.key(FIRST, Role.OPERATOR, null));

        assertThat(in.status()).as(in.toString()).isEqualTo(200);
        assertThat(in.json().path("role").asString()).isEqualTo("operator");
        assertThat(in.json().path("tenant_id").asString()).isEqualTo("default");
        assertThat(in.header("Set-Cookie").orElseThrow())
                .startsWith("toolgate_session=")
                .contains("; HttpOnly", "; SameSite=Strict", "; Path=/");
        Client browser = browser(in);
        assertThat(browser.get(SESSION).json()).isEqualTo(in.json());
        assertThat(browser.get("/api/v1/agents").status()).isEqualTo(200);
    }

    @Test
    void a_change_needs_the_csrf_token() {
        Reply in = logIn(server.key(FIRST, Role.OPERATOR, null));
        Client browser = browser(in);
        String agent = "{\"agent_id\": \"forged\"}";

        assertThat(browser.post("/api/v1/agents", agent).status()).isEqualTo(401);
        assertThat(browser.with("X-CSRF-Token", "guess")
                        .post("/api/v1/agents", agent)
                        .status())
                .isEqualTo(401);
        String foreign = logIn(server.key(FIRST, Role.OPERATOR, null))
                .json()
                .path("csrf_token")
                .asString();
        assertThat(browser.with("X-CSRF-Token", foreign)
                        .post("/api/v1/agents", agent)
                        .status())
                .isEqualTo(401);
        assertThat(browser.get("/api/v1/agents/forged").status()).isEqualTo(404);

        String token = in.json().path("csrf_token").asString();
        assertThat(browser.with("X-CSRF-Token", token)
                        .post("/api/v1/agents", agent)
                        .status())
                .isEqualTo(201);
    }

    @Test
    void logging_out_is_idempotent() {
        Reply in = logIn(server.key(FIRST, Role.AUDITOR, null));
        Client browser = browser(in);

        Reply out = browser.delete(SESSION);

        assertThat(out.status()).isEqualTo(204);
        assertThat(out.header("Set-Cookie").orElseThrow())
                .startsWith("toolgate_session=;")
                .contains("Max-Age=0");
        assertThat(browser.get(SESSION).status()).isEqualTo(401);
        assertThat(browser.delete(SESSION).status()).isEqualTo(204);
        assertThat(server.anonymous().delete(SESSION).status()).isEqualTo(204);
    }

    @Test
    void a_log_in_ends_with_its_key() {
        Reply made = server.admin().post("/api/v1/keys", "{\"role\": \"operator\"}");
        Client browser = browser(logIn(made.json().path("key").asString()));
        assertThat(browser.get(SESSION).status()).isEqualTo(200);

        server.admin().delete("/api/v1/keys/" + made.json().path("key_id").asString());

        assertThat(browser.get(SESSION).status()).isEqualTo(401);
    }

    @Test
    void a_wrong_key_is_refused_without_quoting_it() {
        String wrong = "tg_wrong_as_can_be_0123456789";

        Reply refused = logIn(wrong);

        assertThat(refused.status()).isEqualTo(401);
        assertThat(refused.errorCode()).isEqualTo("UNAUTHORIZED");
        assertThat(refused.header("Set-Cookie")).isEmpty();
        assertThat(refused.text()).doesNotContain(wrong);
        assertThat(server.anonymous().post(SESSION, "{}").status()).isEqualTo(400);
        assertThat(server.anonymous().get(SESSION).status()).isEqualTo(401);
    }

    @Test
    void a_bearer_request_with_a_cookie_gets_no_csrf_token() {
        Reply in = logIn(server.key(FIRST, Role.OPERATOR, null));
        String cookie = in.header("Set-Cookie").orElseThrow().split(";", -1)[0];

        Reply who = server.as(FIRST, Role.AUDITOR).with("Cookie", cookie).get(SESSION);

        assertThat(who.json().path("role").asString()).isEqualTo("auditor");
        assertThat(who.json().has("csrf_token")).isFalse();
        assertThat(server.as(FIRST, Role.AUDITOR)
                        .get("/api/v1/whoami")
                        .json()
                        .path("rights")
                        .toString())
                .contains("read_permissions", "read_audit")
                .doesNotContain("change", "manage", "call", "answer");
    }

    private static Reply logIn(String key) {
        return server.anonymous().post(SESSION, "{\"key\": \"" + key + "\"}");
    }

    private static Client browser(Reply loggedIn) {
        return server.anonymous()
                .with("Cookie", loggedIn.header("Set-Cookie").orElseThrow().split(";", -1)[0]);
    }
}
