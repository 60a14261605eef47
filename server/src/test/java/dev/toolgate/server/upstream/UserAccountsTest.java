package dev.toolgate.server.upstream;

import static dev.toolgate.server.RunningServer.ACME;
import static dev.toolgate.server.RunningServer.AGENT;
import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.secret.TokenSealer;
import dev.toolgate.server.wiring.ToolgateServer;
import dev.toolgate.store.identity.SealedBytes;
import dev.toolgate.store.upstream.AccountTable;
import dev.toolgate.store.upstream.ServerName;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Users' own accounts at MCP servers behind the gate, and attempts to use another's. */
class UserAccountsTest {
    private static final AgentId OTHER = new AgentId("agent_2");
    private static final String ACCOUNT_KEY = "one-key-for-both-servers-0123456789";

    @TempDir
    private static Path home;

    @TempDir
    private static Path otherHome;

    @TempDir
    private static Path secrets;

    private static final AccountMcpServer UPSTREAM = AccountMcpServer.open();
    private static final ChangingMcpServer MALLORY = ChangingMcpServer.open();
    private static RunningServer server;
    private static Client admin;
    private static ConnectBrowser adminBrowser;
    private static String adminKey;
    private static String agentKey;
    private static String otherKey;

    private static Map<String, String> settings() {
        String places = "[\"127.0.0.1:" + UPSTREAM.port() + "\", \"127.0.0.1:" + MALLORY.port() + "\"]";
        return Map.of(
                "network.internal_places",
                "{\"default\": " + places + ", \"acme\": " + places + "}",
                "auth.account_key",
                ACCOUNT_KEY,
                "secrets",
                "{\"default\": {\"MAIL_SECRET\": \"file:" + secretFile() + "\"}}");
    }

    private static Path secretFile() {
        return secrets.resolve("mail");
    }

    @BeforeAll
    static void start() throws Exception {
        Files.writeString(secretFile(), "unused");
        server = RunningServer.start(home, settings());
        adminKey = server.key(FIRST, Role.ADMIN, null);
        admin = server.withKey(adminKey);
        adminBrowser = new ConnectBrowser(server.anonymous(), adminKey);
        ok(admin.post("/api/v1/agents", "{\"agent_id\": \"agent_1\"}"), 201);
        ok(admin.post("/api/v1/agents", "{\"agent_id\": \"agent_2\"}"), 201);
        for (String agent : List.of("agent_1", "agent_2")) {
            admin.put("/api/v1/permissions/" + agent + "/mail%2Fwhoami", "{\"allowed\": true}");
            admin.put("/api/v1/permissions/" + agent + "/wiki%2Fsay", "{\"allowed\": true}");
        }
        agentKey = server.key(FIRST, Role.AGENT, AGENT);
        otherKey = server.key(FIRST, Role.AGENT, OTHER);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
        UPSTREAM.close();
        MALLORY.close();
    }

    /** Adds a server and agrees to its tool; the admin's account, which lists the tool, is disconnected again. */
    @BeforeEach
    void addServer() {
        UPSTREAM.expireAfter(3600);
        UPSTREAM.requireSecret(null);
        UPSTREAM.clients().remove("gate");
        UPSTREAM.work();
        UPSTREAM.nameIssuer(UPSTREAM.origin());
        Reply added = ok(admin.post("/api/v1/mcp/servers", UPSTREAM.server("mail")), 201);
        assertThat(added.json().path("tools").isEmpty()).isTrue();
        assertThat(admin.send("POST", "/api/v1/mcp/servers/mail/refresh", null).message())
                .contains("/connect/mcp/mail");
        ok(adminBrowser.comeBack(UPSTREAM.authorize(adminBrowser.begin("mail", "{}"), "root")), 200);
        JsonNode listed = ok(admin.send("POST", "/api/v1/mcp/servers/mail/refresh", null), 200)
                .json();
        String hash = listed.at("/tools/0/waiting/hash").asString();
        ok(admin.post("/api/v1/mcp/servers/mail/tools/whoami", "{\"agreed\": true, \"hash\": \"" + hash + "\"}"), 200);
        ok(admin.delete("/api/v1/mcp/accounts/" + accounts(admin).getFirst()), 204);
    }

    @AfterEach
    void removeServer() {
        ok(admin.delete("/api/v1/mcp/servers/mail"), 204);
    }

    @Test
    void calls_use_the_account_of_their_caller_only() {
        assertThat(error(call(agentKey))).isEqualTo("ACCOUNT_NEEDED");
        assertThat(call(agentKey).json().at("/result/error/message").asString())
                .contains(server.url() + "/connect/mcp/mail?agent_id=agent_1");

        connect(agentKey, "{}", "ann");
        assertThat(call(agentKey).text()).contains("the account of ann");
        assertThat(error(call(otherKey))).isEqualTo("ACCOUNT_NEEDED");
        connect(otherKey, "{\"agent_id\": \"agent_2\"}", "bob");
        assertThat(call(otherKey).text()).contains("the account of bob");
        assertThat(call(agentKey).text()).contains("the account of ann");
        // An admin who acts for the agent uses the agent's account, or the admin's own if there is one.
        assertThat(call(admin, "agent_1").text()).contains("the account of ann");
        ok(adminBrowser.comeBack(UPSTREAM.authorize(adminBrowser.begin("mail", "{}"), "root")), 200);
        assertThat(call(admin, "agent_1").text()).contains("the account of root");
        assertThat(call(agentKey).text()).contains("the account of ann");

        assertThat(UPSTREAM.authorizations()).noneMatch(shown -> shown.contains(agentKey) || shown.contains(otherKey));
    }

    @Test
    void a_client_that_supports_urls_gets_the_address_of_the_page() {
        Client mcp = server.withKey(agentKey)
                .with("Accept", "application/json, text/event-stream")
                .with("MCP-Protocol-Version", "2026-07-28")
                .with("Mcp-Method", "tools/call")
                .with("Mcp-Name", "mail__whoami");
        JsonNode asked = message(mcp.post("/mcp", mcpCall("")));
        assertThat(asked.at("/result/inputRequests/account/params/mode").asString())
                .as(asked.toString())
                .isEqualTo("url");
        assertThat(asked.at("/result/inputRequests/account/params/url").asString())
                .isEqualTo(server.url() + "/connect/mcp/mail?agent_id=agent_1");

        connect(agentKey, "{}", "ann");

        Reply done = mcp.post(
                "/mcp",
                mcpCall(", \"requestState\": \""
                        + asked.at("/result/requestState").asString()
                        + "\", \"inputResponses\": {\"account\": {\"action\": \"accept\"}}"));
        assertThat(done.text()).contains("the account of ann");
    }

    private static String mcpCall(String more) {
        return """
                {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "mail__whoami", "arguments": {}%s,
                 "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                  "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"url": {}}},
                  "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"}}}}""".formatted(more);
    }

    /** The message of an answer, be it the whole body or the last of a stream. */
    private static JsonNode message(Reply reply) {
        String text = reply.text();
        return Json.MAPPER.readTree(text.startsWith("{") ? text : text.substring(text.lastIndexOf("data:") + 5));
    }

    @Test
    void callers_cannot_connect_see_or_disconnect_accounts_of_others() {
        connect(agentKey, "{}", "ann");
        String account = accounts(server.withKey(agentKey)).getFirst();
        ConnectBrowser other = new ConnectBrowser(server.anonymous(), otherKey);

        assertThat(other.loggedIn()
                        .post("/api/v1/mcp/servers/mail/account", "{\"agent_id\": \"agent_1\"}")
                        .status())
                .isEqualTo(403);
        ConnectBrowser user = new ConnectBrowser(server.anonymous(), server.userKey(FIRST, OTHER));
        assertThat(user.loggedIn()
                        .post("/api/v1/mcp/servers/mail/account", "{\"agent_id\": \"agent_1\"}")
                        .status())
                .isEqualTo(403);
        ConnectBrowser stranger = new ConnectBrowser(server.anonymous(), server.key(ACME, Role.ADMIN, null));
        assertThat(stranger.loggedIn()
                        .post("/api/v1/mcp/servers/mail/account", "{\"agent_id\": \"agent_1\"}")
                        .status())
                .isEqualTo(404);
        for (Client client : List.of(other.loggedIn(), user.loggedIn(), stranger.loggedIn())) {
            assertThat(accounts(client)).isEmpty();
            assertThat(client.delete("/api/v1/mcp/accounts/" + account).status())
                    .isEqualTo(404);
        }
        // A page of another site cannot start this for the user: it does not know the CSRF token.
        assertThat(other.loggedIn()
                        .with("X-CSRF-Token", "guessed")
                        .post("/api/v1/mcp/servers/mail/account", "{}")
                        .status())
                .isEqualTo(401);
        // A key without a log-in cannot connect an account.
        assertThat(server.withKey(agentKey)
                        .post("/api/v1/mcp/servers/mail/account", "{}")
                        .status())
                .isEqualTo(409);
        assertThat(call(agentKey).text()).contains("the account of ann");
    }

    @Test
    void users_of_one_agent_each_have_their_own_account() {
        String one = server.userKey(FIRST, AGENT);
        String two = server.userKey(FIRST, AGENT);
        connect(one, "{\"agent_id\": \"agent_1\"}", "ann");
        connect(two, "{\"agent_id\": \"agent_1\"}", "ben");

        List<String> subjects = admin.get("/api/v1/mcp/accounts").each("subject");
        assertThat(subjects).hasSize(2).doesNotHaveDuplicates().allMatch(subject -> subject.startsWith("person:key:"));
        for (String user : List.of(one, two)) {
            assertThat(accounts(new ConnectBrowser(server.anonymous(), user).loggedIn()))
                    .hasSize(1);
        }
        assertThat(error(call(agentKey))).isEqualTo("ACCOUNT_NEEDED");
    }

    @Test
    void a_callback_is_accepted_once_and_only_in_the_same_browser() {
        ConnectBrowser victim = new ConnectBrowser(server.anonymous(), agentKey);
        ConnectBrowser attacker = new ConnectBrowser(server.anonymous(), otherKey);

        // The attacker sends the victim's browser to the attacker's own callback, before and after the victim begins.
        URI ofAttacker = UPSTREAM.authorize(attacker.begin("mail", "{}"), "mallory");
        assertThat(victim.comeBack(ofAttacker).status()).isEqualTo(409);
        URI back = UPSTREAM.authorize(victim.begin("mail", "{}"), "ann");
        assertThat(victim.comeBack(ofAttacker).status()).isEqualTo(409);
        // The attacker knows the victim's callback URL.
        assertThat(attacker.comeBack(back).status()).isEqualTo(409);
        assertThat(server.anonymous()
                        .get(back.getRawPath() + "?" + back.getRawQuery())
                        .status())
                .isEqualTo(409);
        assertThat(accounts(admin)).isEmpty();

        ok(victim.comeBack(back), 200);
        assertThat(victim.comeBack(back).status()).isEqualTo(409);
        assertThat(call(agentKey).text()).contains("the account of ann");
        assertThat(error(call(otherKey))).isEqualTo("ACCOUNT_NEEDED");
    }

    @Test
    void a_callback_of_another_issuer_or_after_log_out_is_refused() {
        UPSTREAM.nameIssuer("https://mallory.example.com");
        ConnectBrowser browser = new ConnectBrowser(server.anonymous(), agentKey);
        Reply mixedUp = browser.comeBack(UPSTREAM.authorize(browser.begin("mail", "{}"), "ann"));
        assertThat(mixedUp.status()).isEqualTo(409);
        assertThat(mixedUp.text()).contains("without the right issuer");

        UPSTREAM.nameIssuer(UPSTREAM.origin());
        URI back = UPSTREAM.authorize(browser.begin("mail", "{}"), "ann");
        browser.logOut();
        assertThat(browser.comeBack(back).status()).isEqualTo(409);
        assertThat(accounts(admin)).isEmpty();
    }

    // Mallory's metadata names the authorization page of the honest issuer, which knows no RFC 9207, and its own token
    // endpoint.
    @Test
    void a_code_of_one_issuer_is_not_sent_to_another() {
        connect(agentKey, "{}", "ann");
        String client = UPSTREAM.clients().keySet().iterator().next();
        String registered = UPSTREAM.clients().get(client);
        String mallory = "http://127.0.0.1:" + MALLORY.port();
        MALLORY.require("Bearer of Mallory", "Bearer resource_metadata=\"" + mallory + "/resource\"");
        MALLORY.publish(Map.of(
                "/resource",
                "{\"resource\": \"" + MALLORY.url() + "\", \"authorization_servers\": [\"" + mallory + "\"]}",
                "/.well-known/oauth-authorization-server",
                """
                {"issuer": "%1$s", "authorization_endpoint": "%2$s/authorize", "token_endpoint": "%1$s/token",
                 "registration_endpoint": "%1$s/register", "code_challenge_methods_supported": ["S256"]}""".formatted(mallory, UPSTREAM.origin()),
                "/register",
                "{\"client_id\": \"" + client + "\"}",
                "/token",
                "{\"access_token\": \"stolen-from-the-honest-issuer\", \"token_type\": \"Bearer\"}"));
        ok(
                admin.post(
                        "/api/v1/mcp/servers",
                        "{\"name\": \"mallory\", \"url\": \"" + MALLORY.url()
                                + "\", \"plain_http\": true, \"credentials\": {\"kind\": \"user\"}}"),
                201);
        ConnectBrowser victim = new ConnectBrowser(server.anonymous(), agentKey);
        String page = victim.begin("mallory", "{}").toString();

        // The honest issuer sends browsers to the registered redirect URI only, so Mallory has to name that.
        URI named = URI.create(page.replaceFirst(
                "redirect_uri=[^&]*", "redirect_uri=" + URLEncoder.encode(registered, StandardCharsets.UTF_8)));
        String back = UPSTREAM.authorize(named, "ann").toString().replaceFirst("&iss=.*", "");
        Reply refused = victim.comeBack(URI.create(back));

        assertThat(refused.status()).isEqualTo(409);
        assertThat(MALLORY.methods()).contains("/register").doesNotContain("/token");
        ok(admin.delete("/api/v1/mcp/servers/mallory"), 204);
    }

    @Test
    void a_client_id_needs_its_issuer() {
        connect(agentKey, "{}", "ann");
        String credentials = "{\"kind\": \"user\", \"client_id\": \"gate\"}";
        Reply added =
                admin.post("/api/v1/mcp/servers", UPSTREAM.server("post").replace("{\"kind\": \"user\"}", credentials));
        assertThat(added.status()).isEqualTo(400);
        assertThat(added.message()).contains("'issuer': must be set together with client_id");
        assertThat(admin.patch("/api/v1/mcp/servers/mail", "{\"credentials\": " + credentials + "}")
                        .status())
                .isEqualTo(400);

        // As stored by an earlier version: connected accounts are used, and no new one is connected.
        server.database()
                .jdbi()
                .useHandle(
                        handle -> handle.execute(
                                "UPDATE mcp_servers SET settings = jsonb_set(settings, '{credentials,client_id}', '\"gate\"')"));
        UPSTREAM.expireAccessTokens();
        assertThat(call(agentKey).text()).contains("the account of ann");
        ok(admin.patch("/api/v1/mcp/servers/mail", "{\"timeout_ms\": 5000}"), 200);
        UPSTREAM.expireAccessTokens();
        assertThat(call(agentKey).text()).contains("the account of ann");
        Reply refused = new ConnectBrowser(server.anonymous(), otherKey)
                .loggedIn()
                .post("/api/v1/mcp/servers/mail/account", "{}");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.message()).contains("issuer: must be set together with client_id");
    }

    @Test
    void an_issuer_has_a_redirect_uri_and_a_client_document_of_its_own() {
        connect(agentKey, "{}", "ann");
        String redirect = UPSTREAM.clients().values().iterator().next();
        assertThat(redirect).matches(server.url() + "/connect/callback/[0-9a-f]{32}");

        String document = redirect.replace("callback", "client");
        JsonNode client =
                ok(server.anonymous().get(URI.create(document).getPath()), 200).json();
        assertThat(client.path("client_id").asString()).isEqualTo(document);
        assertThat(client.path("redirect_uris")).hasToString("[\"" + redirect + "\"]");
    }

    @Test
    void pages_do_not_redirect_or_echo_parameters() {
        String evil = "%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E";
        Client anonymous = server.anonymous();
        for (String path : List.of(
                "/connect/mcp/mail?agent_id=" + evil,
                "/connect/mcp/" + evil,
                "/connect/callback?code=" + evil + "&state=" + evil + "&iss=https://mallory.example.com",
                "/connect/callback?error=" + evil + "&error_uri=https://mallory.example.com&state=x")) {
            Reply page = anonymous.get(path);
            assertThat(page.text()).doesNotContain("alert(1)").doesNotContain("mallory");
            assertThat(page.header("Location")).isEmpty();
            assertThat(page.header("Content-Security-Policy").orElse("default-src 'none'"))
                    .contains("default-src 'none'")
                    .doesNotContain("unsafe");
        }
        assertThat(anonymous
                        .get("/connect/callback?redirect_uri=https://mallory.example.com")
                        .status())
                .isEqualTo(400);
        // The redirect URI has the gate's own address, whatever host the request names.
        ConnectBrowser browser = new ConnectBrowser(server.anonymous(), agentKey);
        assertThat(browser.begin("mail", "{}").getRawQuery())
                .contains("redirect_uri=" + server.url().replace(":", "%3A").replace("/", "%2F")
                        + "%2Fconnect%2Fcallback")
                .contains("code_challenge_method=S256");
    }

    @Test
    void a_stolen_database_has_no_tokens_and_swapped_rows_do_not_work() throws Exception {
        connect(agentKey, "{}", "ann");
        connect(otherKey, "{}", "bob");
        assertThat(call(agentKey).text()).contains("the account of ann");
        UPSTREAM.authorizations().clear();

        List<String> dump = new ArrayList<>();
        server.rowsOf(FIRST).values().forEach(dump::addAll);
        assertThat(dump.toString()).contains("mail");
        for (String token : UPSTREAM.issued()) {
            assertThat(dump).noneMatch(row -> row.contains(token) || row.contains(hex(token)));
        }
        assertThat(dump.toString()).doesNotContain(ACCOUNT_KEY);
        assertThat(admin.get("/api/v1/audit/logs?limit=200").text()).doesNotContain("access-", "refresh-", "code-");

        server.database().jdbi().useHandle(handle -> handle.execute("""
                UPDATE mcp_accounts a SET sealed = b.sealed, account_id = gen_random_uuid() FROM mcp_accounts b
                WHERE a.subject = 'agent:agent_2' AND b.subject = 'agent:agent_1'"""));
        Reply stolen = call(otherKey);
        assertThat(error(stolen)).isEqualTo("ACCOUNT_NEEDED");
        assertThat(stolen.text()).doesNotContain("the account of").doesNotContain("access-");
        assertThat(UPSTREAM.authorizations()).noneMatch(shown -> shown.startsWith("Bearer"));
        assertThat(call(agentKey).text()).contains("the account of ann");
    }

    @Test
    void concurrent_calls_on_two_servers_renew_the_token_once() throws Exception {
        connect(agentKey, "{}", "ann");
        Map<String, String> shared = Map.of(
                "network.internal_places", settings().get("network.internal_places"), "auth.account_key", ACCOUNT_KEY);
        try (ToolgateServer second = server.another(otherHome, shared);
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Client elsewhere = new Client(second.url()).with("Authorization", "Bearer " + agentKey);
            Client here = server.withKey(agentKey);
            assertThat(call(here, "agent_1").text()).contains("the account of ann");
            assertThat(call(elsewhere, "agent_1").text()).contains("the account of ann");
            int before = UPSTREAM.refreshes();
            int reused = UPSTREAM.reused().size();
            UPSTREAM.expireAccessTokens();

            List<Future<Reply>> replies = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                Client client = i % 2 == 0 ? here : elsewhere;
                replies.add(callers.submit(() -> call(client, "agent_1")));
            }
            for (Future<Reply> reply : replies) {
                assertThat(reply.get().text()).contains("the account of ann");
            }
            assertThat(UPSTREAM.refreshes() - before).isOne();
            assertThat(UPSTREAM.reused()).hasSize(reused);
        }
    }

    @Test
    void the_sessions_of_all_accounts_are_ended_at_the_same_time() throws Exception {
        connect(agentKey, "{}", "ann");
        connect(otherKey, "{}", "bob");
        Map<String, String> shared = Map.of(
                "network.internal_places", settings().get("network.internal_places"), "auth.account_key", ACCOUNT_KEY);
        try (ToolgateServer second = server.another(otherHome, shared)) {
            Client ann = new Client(second.url()).with("Authorization", "Bearer " + agentKey);
            Client bob = new Client(second.url()).with("Authorization", "Bearer " + otherKey);
            assertThat(call(ann, "agent_1").text()).contains("the account of ann");
            assertThat(call(bob, "agent_2").text()).contains("the account of bob");

            UPSTREAM.awaitEnds(2);
        }

        await().untilAsserted(() -> assertThat(UPSTREAM.endedTogether()).isEqualTo(2));
    }

    @Test
    void a_token_is_sent_only_to_the_server_it_was_issued_for() {
        connect(agentKey, "{}", "ann");
        UPSTREAM.authorizations().clear();
        String moved = UPSTREAM.url() + "?of=mallory";

        ok(admin.patch("/api/v1/mcp/servers/mail", "{\"url\": \"" + moved + "\"}"), 200);

        assertThat(error(call(agentKey))).isEqualTo("ACCOUNT_NEEDED");
        assertThat(UPSTREAM.authorizations()).isEmpty();
    }

    @Test
    void a_disconnected_account_is_revoked_and_no_longer_usable() {
        connect(agentKey, "{}", "ann");
        assertThat(call(agentKey).text()).contains("the account of ann");
        Client agent = server.withKey(agentKey);
        JsonNode listed = agent.get("/api/v1/mcp/accounts").json().path(0);
        assertThat(listed.path("subject").asString()).isEqualTo("agent:agent_1");
        assertThat(listed.toString()).doesNotContain("access-", "refresh-");

        ok(agent.delete("/api/v1/mcp/accounts/" + listed.path("account_id").asString()), 204);

        assertThat(error(call(agentKey))).isEqualTo("ACCOUNT_NEEDED");
        assertThat(UPSTREAM.revoked()).hasSizeGreaterThanOrEqualTo(2);
        JsonNode record = admin.get("/api/v1/audit/logs?kind=administration&tool_name=mcp_accounts&limit=1")
                .json()
                .path(0);
        assertThat(record.path("operation").asString()).isEqualTo("disconnect");
    }

    @Test
    void a_token_renewed_during_the_disconnection_is_revoked() throws Exception {
        int before = UPSTREAM.issued().size();
        connect(agentKey, "{}", "ann");
        assertThat(call(agentKey).text()).contains("the account of ann");
        UPSTREAM.expireAccessTokens();
        UPSTREAM.holdTokens();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Reply> called = callers.submit(() -> call(agentKey));
            UPSTREAM.awaitHeldToken();
            ok(admin.delete("/api/v1/mcp/accounts/" + accounts(admin).getFirst()), 204);
            UPSTREAM.work();
            assertThat(called.get().text()).doesNotContain("the account of ann");
        }

        List<String> issued =
                UPSTREAM.issued().subList(before, UPSTREAM.issued().size());
        assertThat(issued).hasSize(4);
        await().untilAsserted(() -> assertThat(UPSTREAM.revoked()).containsAll(issued));
    }

    @Test
    void the_accounts_of_a_removed_server_are_revoked() {
        int before = UPSTREAM.issued().size();
        ok(admin.post("/api/v1/mcp/servers", UPSTREAM.server("post")), 201);
        for (String key : List.of(agentKey, otherKey)) {
            ConnectBrowser browser = new ConnectBrowser(server.anonymous(), key);
            ok(browser.comeBack(UPSTREAM.authorize(browser.begin("post", "{}"), "ann")), 200);
        }

        ok(admin.delete("/api/v1/mcp/servers/post"), 204);

        List<String> issued =
                UPSTREAM.issued().subList(before, UPSTREAM.issued().size());
        assertThat(issued).hasSize(4);
        await().untilAsserted(() -> assertThat(UPSTREAM.revoked()).containsAll(issued));
    }

    @Test
    void a_failed_revocation_does_not_prevent_the_next() {
        ok(admin.post("/api/v1/mcp/servers", UPSTREAM.server("post")), 201);
        int before = UPSTREAM.issued().size();
        for (String key : List.of(agentKey, otherKey)) {
            ConnectBrowser browser = new ConnectBrowser(server.anonymous(), key);
            ok(browser.comeBack(UPSTREAM.authorize(browser.begin("post", "{}"), "ann")), 200);
        }
        UPSTREAM.failOnce("/revoke", 503, "");

        ok(admin.delete("/api/v1/mcp/servers/post"), 204);

        List<String> issued =
                UPSTREAM.issued().subList(before, UPSTREAM.issued().size());
        assertThat(issued).hasSize(4);
        await().untilAsserted(() -> assertThat(issued)
                .filteredOn(token -> UPSTREAM.revoked().contains(token))
                .hasSize(2));
    }

    // A row that cannot be read stands for every unexpected failure, such as a database that is down.
    @Test
    void an_unexpected_failure_prevents_no_other_revocation() {
        ok(admin.post("/api/v1/mcp/servers", UPSTREAM.server("post")), 201);
        UUID first = unreadable("agent:first", "00000000-0000-4000-8000-000000000000");
        int before = UPSTREAM.issued().size();
        ConnectBrowser browser = new ConnectBrowser(server.anonymous(), agentKey);
        ok(browser.comeBack(UPSTREAM.authorize(browser.begin("post", "{}"), "ann")), 200);
        unreadable("agent:last", "ffffffff-ffff-4fff-bfff-ffffffffffff");
        UUID alone = unreadable("agent:alone", "ffffffff-ffff-4fff-bfff-fffffffffff0");

        ok(admin.delete("/api/v1/mcp/accounts/" + alone), 204);
        assertThat(accounts(admin)).contains(first.toString()).doesNotContain(alone.toString());
        ok(admin.delete("/api/v1/mcp/servers/post"), 204);

        List<String> issued =
                UPSTREAM.issued().subList(before, UPSTREAM.issued().size());
        assertThat(issued).hasSize(2);
        await().untilAsserted(() -> assertThat(UPSTREAM.revoked()).containsAll(issued));
    }

    private static UUID unreadable(String subject, String id) {
        UUID account = UUID.fromString(id);
        SealedBytes sealed = new TokenSealer(ACCOUNT_KEY)
                .seal("{\"expires_at\": \"soon\"}", List.of("token", FIRST.value(), "post", subject));
        new AccountTable(server.database().jdbi())
                .connect(account, FIRST, new ServerName("post"), subject, sealed, UPSTREAM.origin(), "key:1");
        return account;
    }

    @Test
    void accounts_of_a_server_removed_from_the_settings_file_are_revoked() throws Exception {
        Map<String, String> without = Map.of(
                "network.internal_places", settings().get("network.internal_places"), "auth.account_key", ACCOUNT_KEY);
        Map<String, String> with = new HashMap<>(without);
        with.put(
                "mcp_servers",
                "{\"default\": {\"post\": {\"url\": \"" + UPSTREAM.url()
                        + "\", \"plain_http\": true, \"credentials\": {\"kind\": \"user\"}}}}");
        server.another(Files.createDirectories(otherHome.resolve("with")), with).close();
        int before = UPSTREAM.issued().size();
        ConnectBrowser browser = new ConnectBrowser(server.anonymous(), agentKey);
        ok(browser.comeBack(UPSTREAM.authorize(browser.begin("post", "{}"), "ann")), 200);
        List<String> issued =
                UPSTREAM.issued().subList(before, UPSTREAM.issued().size());
        assertThat(issued).hasSize(2);

        try (ToolgateServer _ = server.another(Files.createDirectories(otherHome.resolve("without")), without)) {
            await().untilAsserted(() -> assertThat(UPSTREAM.revoked()).containsAll(issued));
        }
        assertThat(admin.get("/api/v1/mcp/servers/post").status()).isEqualTo(404);
    }

    @Test
    void a_client_that_the_issuer_forgot_is_registered_again() {
        connect(agentKey, "{}", "ann");
        connect(otherKey, "{\"agent_id\": \"agent_2\"}", "bob");
        assertThat(call(otherKey).text()).contains("the account of bob");
        UPSTREAM.forgetClients();
        UPSTREAM.expireAccessTokens();

        assertThat(error(call(agentKey))).isEqualTo("ACCOUNT_NEEDED");
        connect(agentKey, "{}", "ann");
        // The account of another user was issued to the client that is no longer known.
        assertThat(error(call(otherKey))).isEqualTo("ACCOUNT_NEEDED");
        assertThat(accounts(admin)).hasSize(1);
        connect(otherKey, "{\"agent_id\": \"agent_2\"}", "bob");
        assertThat(call(agentKey).text()).contains("the account of ann");
        assertThat(call(otherKey).text()).contains("the account of bob");
    }

    @Test
    void a_refusal_of_an_account_names_the_page_to_connect_it_again() {
        connect(agentKey, "{}", "ann");
        assertThat(call(agentKey).text()).contains("the account of ann");
        record Refusal(int status, String body) {}
        for (Refusal each : List.of(
                new Refusal(400, "{\"error\": \"unauthorized_client\"}"),
                new Refusal(200, "{\"error\": \"access_denied\"}"))) {
            UPSTREAM.expireAccessTokens();
            UPSTREAM.fail("/token", each.status(), each.body());

            Reply refused = call(agentKey);
            assertThat(error(refused)).as(refused.text()).isEqualTo("CREDENTIALS_REFUSED");
            assertThat(refused.json().at("/result/error/message").asString())
                    .contains("open " + server.url() + "/connect/mcp/mail?agent_id=agent_1 in a browser");
            assertThat(accounts(admin)).hasSize(1);

            UPSTREAM.work();
            assertThat(call(agentKey).text()).contains("the account of ann");
        }

        UPSTREAM.expireAccessTokens();
        UPSTREAM.fail("/token", 200, "{\"error\": \"bad_refresh_token\"}");
        assertThat(error(call(agentKey))).isEqualTo("ACCOUNT_NEEDED");
        assertThat(accounts(admin)).isEmpty();
    }

    @Test
    void an_account_of_another_issuer_than_the_configured_one_is_not_used() {
        connect(agentKey, "{}", "ann");
        assertThat(call(agentKey).text()).contains("the account of ann");

        ok(
                admin.patch(
                        "/api/v1/mcp/servers/mail",
                        "{\"credentials\": {\"kind\": \"user\", \"issuer\": \"https://issuer.example.com\"}}"),
                200);

        assertThat(error(call(agentKey))).isEqualTo("ACCOUNT_NEEDED");
        // Nothing is lost if it was a mistake.
        ok(admin.patch("/api/v1/mcp/servers/mail", "{\"credentials\": {\"kind\": \"user\"}}"), 200);
        assertThat(call(agentKey).text()).contains("the account of ann");
    }

    @Test
    void a_refusal_names_the_page_of_the_account_that_was_used() {
        connect(agentKey, "{}", "ann");
        connectOwnOfAdmin();
        assertThat(call(admin, "agent_1").text()).contains("the account of root");
        UPSTREAM.expireAccessTokens();
        UPSTREAM.fail("/token", 400, "{\"error\": \"unauthorized_client\"}");
        assertPageOfAdmin("CREDENTIALS_REFUSED", call(admin, "agent_1"));

        UPSTREAM.fail("/token", 400, "{\"error\": \"invalid_grant\"}");
        assertPageOfAdmin("ACCOUNT_NEEDED", call(admin, "agent_1"));
        assertThat(admin.get("/api/v1/mcp/accounts").each("subject")).containsExactly("agent:agent_1");
    }

    @Test
    void an_unusable_account_ends_no_connection_of_others() {
        ok(admin.patch("/api/v1/mcp/servers/mail", "{\"url\": \"" + UPSTREAM.url() + "?of=before\"}"), 200);
        connectOwnOfAdmin();
        ok(admin.patch("/api/v1/mcp/servers/mail", "{\"url\": \"" + UPSTREAM.url() + "\"}"), 200);
        connect(agentKey, "{}", "ann");
        assertThat(call(agentKey).text()).contains("the account of ann");
        int sessions = UPSTREAM.sessions();

        assertPageOfAdmin("ACCOUNT_NEEDED", call(admin, "agent_1"));

        assertThat(call(agentKey).text()).contains("the account of ann");
        assertThat(UPSTREAM.sessions()).as("no new session").isEqualTo(sessions);
    }

    private static void connectOwnOfAdmin() {
        ok(adminBrowser.comeBack(UPSTREAM.authorize(adminBrowser.begin("mail", "{}"), "root")), 200);
    }

    // With the agent in its address, the page would make the admin's access that of the agent.
    private static void assertPageOfAdmin(String code, Reply refused) {
        assertThat(error(refused)).as(refused.text()).isEqualTo(code);
        assertThat(refused.json().at("/result/error/message").asString())
                .contains("open " + server.url() + "/connect/mcp/mail in a browser");
    }

    @Test
    void a_token_masks_results_of_its_own_server_only() throws Exception {
        String token = "additionalProperties";
        try (ChangingMcpServer wiki = ChangingMcpServer.open()) {
            wiki.offer(ChangingMcpServer.tool("say", "Says something.")
                    .replace("\"type\":\"object\"", "\"type\":\"object\",\"" + token + "\":false"));
            wiki.endResultsWith(" with " + token);
            String places = "{\"default\": [\"127.0.0.1:" + UPSTREAM.port() + "\", \"127.0.0.1:" + wiki.port() + "\"]}";
            Path folder = Files.createDirectories(otherHome.resolve("wiki"));
            try (ToolgateServer second = server.another(
                    folder, Map.of("network.internal_places", places, "auth.account_key", ACCOUNT_KEY))) {
                Client root = new Client(second.url()).with("Authorization", "Bearer " + adminKey);
                ok(
                        root.post(
                                "/api/v1/mcp/servers",
                                "{\"name\": \"wiki\", \"url\": \"" + wiki.url() + "\", \"plain_http\": true}"),
                        201);
                UPSTREAM.issueNext(token);
                connect(agentKey, "{}", "ann");

                Reply masked = call(root, "agent_1");
                assertThat(masked.text()).contains("the account of ann by Bearer [redacted]");

                JsonNode listed = ok(root.send("POST", "/api/v1/mcp/servers/wiki/refresh", null), 200)
                        .json();
                assertThat(listed.at("/tools/0/state").asString()).isEqualTo("agreed");
                assertThat(listed.toString()).doesNotContain("[redacted]");
                assertThat(call(root, "agent_1", "wiki/say").text()).contains("with " + token);
            } finally {
                ok(admin.delete("/api/v1/mcp/servers/wiki"), 204);
            }
        }
    }

    @Test
    void a_rotated_client_secret_is_used_by_open_connections() throws Exception {
        rotateSecret("first-secret-of-the-gate");
        UPSTREAM.register("gate", server.url() + "/connect/callback");
        ok(
                admin.patch(
                        "/api/v1/mcp/servers/mail",
                        "{\"credentials\": {\"kind\": \"user\", \"client_id\": \"gate\", \"secret\": \"MAIL_SECRET\","
                                + " \"issuer\": \"" + UPSTREAM.origin() + "\"}}"),
                200);
        connect(agentKey, "{}", "ann");
        assertThat(call(agentKey).text()).contains("the account of ann");

        rotateSecret("second-secret-of-the-gate");
        UPSTREAM.expireAccessTokens();
        UPSTREAM.expireAfter(10); // so the next call renews it before it is refused
        assertThat(call(agentKey).text()).contains("the account of ann");
        rotateSecret("third-secret-of-the-gate");
        assertThat(call(agentKey).text()).contains("the account of ann");
    }

    private static void rotateSecret(String secret) throws IOException {
        Files.writeString(secretFile(), secret);
        UPSTREAM.requireSecret(secret);
    }

    @Test
    void access_revoked_at_the_issuer_needs_a_new_connection() {
        connect(agentKey, "{}", "ann");
        assertThat(call(agentKey).text()).contains("the account of ann");
        UPSTREAM.forgetEverything();

        assertThat(error(call(agentKey))).isEqualTo("ACCOUNT_NEEDED");
        assertThat(accounts(admin)).isEmpty();
        connect(agentKey, "{}", "ann");
        assertThat(call(agentKey).text()).contains("the account of ann");
    }

    @Test
    void a_failing_issuer_disconnects_no_account() {
        connect(agentKey, "{}", "ann");
        record Failing(String path, int status, String body) {}
        for (Failing each : List.of(
                new Failing("/.well-known/oauth-authorization-server", 503, ""),
                new Failing("/.well-known/oauth-authorization-server", 429, "{}"),
                new Failing("/.well-known/oauth-authorization-server", 404, "{}"),
                new Failing("/token", 429, "{\"error\": \"slow_down\"}"),
                new Failing("/token", 408, "{}"),
                new Failing("/token", 200, "<html>Back soon</html>"),
                new Failing("/token", 400, "{\"error\": \"invalid_request\"}"))) {
            UPSTREAM.expireAccessTokens();
            UPSTREAM.fail(each.path(), each.status(), each.body());

            assertThat(error(call(agentKey))).as(each.toString()).isNotEmpty().isNotEqualTo("ACCOUNT_NEEDED");
            assertThat(accounts(admin)).as(each.toString()).hasSize(1);

            UPSTREAM.work();
            await().untilAsserted(() ->
                    assertThat(call(agentKey).text()).as(each.toString()).contains("the account of ann"));
        }
    }

    @Test
    void a_gate_on_the_network_does_not_trust_the_forwarded_host() throws Exception {
        Path folder = Files.createDirectories(otherHome.resolve("public"));
        Map<String, String> open = Map.of("host", "0.0.0.0");
        try (RunningServer listening = RunningServer.start(folder, open)) {
            assertThat(listening
                            .anonymous()
                            .with("X-Forwarded-Host", "mallory.example.com")
                            .get("/connect/client.json")
                            .status())
                    .isEqualTo(404);
        }
    }

    private static void connect(String key, String body, String user) {
        ConnectBrowser browser = new ConnectBrowser(server.anonymous(), key);
        Reply connected = browser.comeBack(UPSTREAM.authorize(browser.begin("mail", body), user));
        assertThat(connected.text()).contains("The account is connected");
    }

    private static List<String> accounts(Client client) {
        return ok(client.get("/api/v1/mcp/accounts"), 200).each("account_id");
    }

    private static Reply call(String key) {
        return call(server.withKey(key), key.equals(otherKey) ? "agent_2" : "agent_1");
    }

    private static Reply call(Client client, String agent) {
        return call(client, agent, "mail/whoami");
    }

    private static Reply call(Client client, String agent, String tool) {
        return client.post("/api/v1/tools/execute", """
                {"request_id": "%s", "agent_id": "%s", "tool_name": "%s", "operation": "o", "parameters": {}}""".formatted(UUID.randomUUID(), agent, tool));
    }

    private static String error(Reply called) {
        return called.json().at("/result/error/code").asString();
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Reply ok(Reply reply, int status) {
        assertThat(reply.status()).as(reply.toString()).isEqualTo(status);
        return reply;
    }
}
