package dev.toolgate.server.signon;

import static dev.toolgate.server.signon.SignOnGate.SESSION;
import static dev.toolgate.server.signon.SignOnGate.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.Output;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.operate.SayTool;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** People log in at a certified provider: its own forms, tokens, claims and sign-out. */
class RealProviderTest {
    private static final String LOGIN = "/auth/oidc/login";

    @TempDir
    private static Path home;

    private static RealProvider provider;
    private static RunningServer gate;

    @BeforeAll
    static void start() throws Exception {
        provider = new RealProvider("""
                {"ada": {"email": "ada@example.org", "email_verified": true, "name": "Ada", "groups": ["x", "platform"]},
                 "bob": {"email": "bob@example.org", "email_verified": true, "name": "Bob", "groups": ["reviewers"]},
                 "cleo": {"email": "cleo@acme.example", "name": "Cleo", "groups": ["acme-admins"]},
                 "dan": {"email": "dan@example.org", "name": "Dan", "groups": ["sales", "support"]},
                 "eve": {"email": "eve@example.org", "name": "Eve", "groups": ["cooks"]},
                 "fay": {"name": "Fay", "groups": ["platform"]},
                 "gil": {"email": "gil@example.org", "email_verified": false, "groups": ["platform"]}}""");
        Map<String, String> settings = SignOnGate.settings(provider.issuer(), RealProvider.CLIENT, RealProvider.SECRET);
        settings.put("approvals.four_eyes", "true");
        gate = RunningServer.start(home, settings, new SayTool(Output::text));
        provider.register(gate.url());
    }

    @AfterAll
    static void stop() throws Exception {
        if (gate != null) {
            gate.close();
        }
        provider.close();
    }

    /** Goes through the provider's pages up to the address that it sends the browser back to. */
    private static URI answerOf(Browser browser, String person, String returnTo) {
        Browser.Page page = browser.follow(browser.open(at(gate, LOGIN + returnTo)), gate.url());
        if (!page.isRedirect()) {
            page = browser.follow(browser.submit(page, Map.of("login", person, "password", "any")), gate.url());
        }
        if (!page.isRedirect()) {
            page = browser.follow(browser.submit(page, Map.of()), gate.url());
        }
        assertThat(page.isRedirect()).as(page.toString()).isTrue();
        return page.location();
    }

    private static Browser.Page logIn(Browser browser, String person) {
        return browser.open(answerOf(browser, person, ""));
    }

    @Test
    void a_person_logs_in_and_is_named_in_records() {
        Browser browser = new Browser();
        URI answer = answerOf(browser, "ada", "?return=/console/approvals%3Fview%3Dhistory");
        Browser.Page back = browser.open(answer);

        assertThat(back.status()).as(back.toString()).isEqualTo(302);
        assertThat(back.location()).isEqualTo(at(gate, "/console/approvals?view=history"));
        JsonNode who =
                SignOnGate.reading(gate, browser).get("/api/v1/console/session").json();
        assertThat(who.path("name").asString()).matches("person:ada@example\\.org#[0-9a-f]{16}");
        assertThat(who.path("display_name").asString()).isEqualTo("Ada");
        assertThat(who.path("role").asString()).isEqualTo("admin");
        assertThat(who.path("tenant_id").asString()).isEqualTo("default");

        Client ada = SignOnGate.loggedIn(gate, browser);
        assertThat(ada.post("/api/v1/agents", "{\"agent_id\": \"by_ada\"}").status())
                .isEqualTo(201);
        JsonNode made = gate.admin()
                .get("/api/v1/audit/logs?kind=administration&tool_name=agents")
                .json()
                .path(0);
        assertThat(made.path("principal")).isEqualTo(who.path("name"));
        JsonNode login = SignOnGate.records(gate).path(0);
        assertThat(login.path("principal")).isEqualTo(who.path("name"));
        assertThat(login.path("operation").asString()).isEqualTo("log_in");
        assertThat(login.at("/parameters/after/subject").asString()).isEqualTo("ada");
    }

    @Test
    void groups_decide_role_tenant_and_agents() {
        Browser bob = new Browser();
        Browser cleo = new Browser();
        Browser dan = new Browser();
        logIn(bob, "bob");
        logIn(cleo, "cleo");
        logIn(dan, "dan");

        JsonNode operator = SignOnGate.reading(gate, bob).get("/api/v1/whoami").json();
        JsonNode foreign = SignOnGate.reading(gate, cleo).get("/api/v1/whoami").json();
        JsonNode user = SignOnGate.reading(gate, dan).get("/api/v1/whoami").json();
        assertThat(operator.path("role").asString()).isEqualTo("operator");
        assertThat(foreign.path("tenant_id").asString()).isEqualTo("acme");
        assertThat(user.path("role").asString()).isEqualTo("user");
        assertThat(user.path("agents").valueStream().map(JsonNode::asString)).containsExactly("agent_1", "seller");
        assertThat(SignOnGate.reading(gate, bob).get("/api/v1/keys").status()).isEqualTo(403);
    }

    @Test
    void a_person_without_a_role_or_a_name_is_refused_and_recorded() {
        Browser eve = new Browser();
        Browser.Page refused = logIn(eve, "eve");
        assertThat(refused.location()).isEqualTo(at(gate, "/console/login?sign_on=no_role"));
        assertThat(eve.cookie(SESSION)).isEmpty();
        JsonNode record = SignOnGate.records(gate).path(0);
        assertThat(record.path("status").asString()).isEqualTo("FAILED");
        assertThat(record.path("principal").asString()).startsWith("person:eve@example.org#");

        for (String incomplete : new String[] {"fay", "gil"}) {
            Browser browser = new Browser();
            assertThat(logIn(browser, incomplete).location()).isEqualTo(at(gate, "/console/login?sign_on=not_valid"));
            assertThat(browser.cookie(SESSION)).isEmpty();
        }
    }

    @Test
    void a_code_and_its_state_are_accepted_once() {
        Browser browser = new Browser();
        URI answer = answerOf(browser, "ada", "");
        assertThat(browser.open(answer).location()).isEqualTo(at(gate, "/console/"));
        String session = browser.cookie(SESSION).orElseThrow();
        long logins = SignOnGate.rows(gate, "console_sessions");

        assertThat(browser.open(answer).location()).isEqualTo(at(gate, "/console/login?sign_on=ended"));

        // The same code with a new state of the same browser: the provider knows that it was used.
        String state =
                SignOnGate.query(browser.open(at(gate, LOGIN)).location()).get("state");
        URI forged = URI.create(answer.toString().replaceFirst("state=[^&]*", "state=" + state));
        assertThat(browser.open(forged).location()).isEqualTo(at(gate, "/console/login?sign_on=not_valid"));
        assertThat(SignOnGate.rows(gate, "console_sessions")).isEqualTo(logins);
        assertThat(browser.cookie(SESSION)).hasValue(session);
    }

    @Test
    void signing_out_ends_the_log_in_here_and_at_the_provider() {
        Browser browser = new Browser();
        logIn(browser, "bob");
        assertThat(browser.follow(browser.open(at(gate, LOGIN)), gate.url()).isRedirect())
                .as("the provider remembers bob")
                .isTrue();
        String session = browser.cookie(SESSION).orElseThrow();

        Reply out = SignOnGate.reading(gate, browser).delete("/api/v1/console/session");

        assertThat(out.status()).as(out.toString()).isEqualTo(200);
        assertThat(gate.anonymous()
                        .with("Cookie", SESSION + "=" + session)
                        .get("/api/v1/whoami")
                        .status())
                .isEqualTo(401);
        Browser.Page confirm =
                browser.open(URI.create(out.json().path("sign_out_url").asString()));
        Browser.Page done = browser.follow(browser.submit(confirm, Map.of("logout", "yes")), gate.url());
        assertThat(done.location().toString()).startsWith(gate.url() + "/console/login");
        assertThat(browser.follow(browser.open(at(gate, LOGIN)), gate.url()).isRedirect())
                .as("the provider asks again")
                .isFalse();
    }

    @Test
    void two_people_are_needed_and_both_are_named() {
        gate.admin().post("/api/v1/agents", "{\"agent_id\": \"speaker\"}");
        gate.admin().put("/api/v1/permissions/speaker/say", "{\"allowed\": true, \"requires_approval\": true}");
        Browser first = new Browser();
        Browser second = new Browser();
        logIn(first, "ada");
        logIn(second, "bob");
        Client ada = SignOnGate.loggedIn(gate, first);
        Client bob = SignOnGate.loggedIn(gate, second);
        Reply held = ada.with("Prefer", "respond-async").post("/api/v1/tools/execute", """
                {"request_id": "by-ada", "agent_id": "speaker", "tool_name": "say", "operation": "say",
                 "parameters": {"text": "hello"}}""");
        assertThat(held.status()).as(held.toString()).isEqualTo(202);
        String place = "/api/v1/approvals/" + held.json().path("approval_id").asString();

        Reply own = ada.post(place, "{\"approved\": true}");
        assertThat(own.status()).as(own.toString()).isEqualTo(403);
        Reply other = bob.post(place, "{\"approved\": true}");
        assertThat(other.status()).as(other.toString()).isEqualTo(200);

        assertThat(gate.admin().get(place).text()).contains("person:bob@example.org#");
        // The call continues by itself once it is approved.
        await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertThat(gate.admin()
                        .get("/api/v1/audit/logs?kind=all&request_id=by-ada")
                        .text())
                .contains("person:ada@example.org#"));
    }
}
