package dev.toolgate.server.openapi;

import static dev.toolgate.server.RunningServer.ACME;
import static dev.toolgate.server.RunningServer.FIRST;
import static dev.toolgate.server.openapi.DocumentedRequests.seen;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.chat.provider.ClaudeFrames;
import dev.toolgate.chat.provider.ScriptedServer;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.operate.SayTool;
import dev.toolgate.server.signon.LyingProvider;
import dev.toolgate.server.upstream.AccountMcpServer;
import dev.toolgate.server.upstream.ChangingMcpServer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;

@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RealAnswersTest {
    /** Statuses of broken or overloaded servers and slow requests, which other tests cover. */
    private static final Set<Integer> OUT_OF_REACH = Set.of(408, 429, 503);

    private static final int LAST = Integer.MAX_VALUE;

    private static final ScriptedServer CLAUDE = new ScriptedServer();

    private static final ChangingMcpServer UPSTREAM = ChangingMcpServer.open();

    private static final AccountMcpServer ACCOUNTS = AccountMcpServer.open();

    private static final LyingProvider PROVIDER = LyingProvider.open();

    private static final Map<String, String> SETTINGS = Map.of(
            "mcp_servers",
            "{\"default\": {\"fixed\": {\"url\": \"https://mcp.example.com/mcp\"}}}",
            "network.internal_places",
            "{\"default\": [\"127.0.0.1:" + UPSTREAM.port() + "\", \"127.0.0.1:" + ACCOUNTS.port() + "\"]}",
            "costs",
            "{\"say\": 0.5}",
            "artifacts.max_size",
            "4KB",
            "artifacts.quota_per_tenant",
            "9KB",
            "models.claude.base_url",
            CLAUDE.address().toString(),
            "auth.oidc.issuer",
            PROVIDER.issuer(),
            "auth.oidc.client_id",
            LyingProvider.CLIENT,
            "auth.oidc.client_secret",
            LyingProvider.SECRET,
            "auth.oidc.roles",
            "[{\"group\": \"platform\", \"role\": \"admin\"}]");

    @TempDir
    private static Path home;

    private static RunningServer server;
    private static Contract contract;
    private static CheckedClient checked;
    private static Client admin;
    private static Client anonymous;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home, SETTINGS, new SayTool(RealAnswersTest::say));
        admin = server.admin();
        anonymous = server.anonymous();
        contract = Contract.of(anonymous.get("/openapi.json").json());
        checked = new CheckedClient(contract);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
        CLAUDE.close();
        UPSTREAM.close();
        ACCOUNTS.close();
        PROVIDER.close();
    }

    /** Echoes a text; for the name of an error code, fails with it. */
    private static Output say(String text) throws ToolFailure {
        for (ErrorCode code : ErrorCode.values()) {
            if (code.name().equals(text)) {
                throw new ToolFailure(code, "As asked", Output.text("Half of it"));
            }
        }
        return Output.of(text, Map.of("said", text)).with(Map.of("length", text.length()));
    }

    @Test
    void documented_request_examples_work() {
        for (Contract.Operation operation : contract.operations()) {
            if (operation.takesJson()
                    && !operation.path().contains("session")
                    && !operation.path().contains("approvals")
                    && !operation.path().contains("providers")) {
                String body = contract.bodyExample(operation).toString();
                String place = exampleOf(operation);
                ask("POST /api/v1/agents", "{\"agent_id\": \"example\"}");
                ask("POST /api/v1/groups", "{\"group_id\": \"example\"}");
                UPSTREAM.offer(ChangingMcpServer.tool("example_tool", "An example."));
                ask("POST /api/v1/mcp/servers", McpServerRequests.server("example", UPSTREAM));
                new ExternalToolRequests(server, checked).permit(place);
                Reply reply = checked.send(admin, operation.name(), body, place, "example_tool");
                assertThat(reply.status())
                        .as("%s answered %s", operation.name(), reply)
                        .isIn(200, 201, 403, 409);
            }
        }
    }

    @Test
    void examples_of_requests_that_change_nothing_succeed() {
        ask("POST /api/v1/agents", "{\"agent_id\": \"backend_dev_001\"}");
        for (String question : List.of(
                "POST /api/v1/tools/validate",
                "POST /access/v1/evaluation",
                "POST /api/v1/permissions/explain",
                "POST /api/v1/permissions/simulate",
                "POST /api/v1/conditions/check")) {
            JsonNode body = contract.operation(question).node().at("/requestBody/content/application~1json");
            contract.examples(body).forEach(example -> seen(200, ask(question, example.toString())));
        }
    }

    /** A value for the path parameter of an operation. */
    private static String exampleOf(Contract.Operation operation) {
        if (operation.path().contains("{key_id}")) {
            return ask("POST /api/v1/keys", "{\"role\": \"auditor\"}")
                    .json()
                    .path("key_id")
                    .asString();
        }
        return operation.path().contains("{record_id}")
                ? admin.get("/api/v1/audit/logs?limit=1").each("id").getFirst()
                : contract.bodyExample(operation).path("toolName").asString("example");
    }

    @Test
    void other_doors() throws Exception {
        new DoorRequests(server, checked).all();
    }

    @Test
    void agents() {
        new AdministrationRequests(server, checked).agents();
    }

    @Test
    void permissions() {
        new AdministrationRequests(server, checked).permissions();
    }

    @Test
    void permission_review() {
        new AdministrationRequests(server, checked).permissionReview();
    }

    @Test
    void groups() {
        new AdministrationRequests(server, checked).groups();
    }

    @Test
    void mcp_servers() {
        McpServerRequests requests = new McpServerRequests(server, checked, UPSTREAM);
        requests.all();
        requests.accounts(ACCOUNTS);
    }

    @Test
    void undone_changes() {
        new UndoRequests(server, checked).all();
    }

    @Test
    void external_tools() {
        new ExternalToolRequests(server, checked).all();
    }

    @Test
    void keys_and_tenants() {
        new AdministrationRequests(server, checked).keysAndTenants();
    }

    @Test
    void sessions() {
        String session = "/api/v1/console/session";
        String key = server.key(FIRST, Role.OPERATOR, null);
        Reply in = seen(200, checked.send(anonymous, "POST " + session, "{\"key\": \"" + key + "\"}"));
        Client browser =
                anonymous.with("Cookie", in.header("Set-Cookie").orElseThrow().split(";", -1)[0]);
        assertThat(seen(200, checked.ask(browser, "GET " + session)).json().has("csrf_token"))
                .isTrue();
        seen(200, checked.ask(server.as(FIRST, Role.AGENT), "GET /api/v1/whoami"));
        seen(401, checked.send(browser, "POST /api/v1/agents", "{\"agent_id\": \"forged\"}"));
        seen(401, checked.send(anonymous, "POST " + session, "{\"key\": \"tg_wrong\"}"));
        seen(204, checked.ask(browser, "DELETE " + session));
    }

    @Test
    void single_sign_on() {
        SignOnRequests requests = new SignOnRequests(server, checked, PROVIDER);
        requests.people(requests.logIn());
    }

    @Test
    void calls() {
        ask("PUT /api/v1/permissions/{agent_id}/{tool_name}", "{\"allowed\": true}", "caller", "say");
        seen(200, execute(admin, "c1", "caller", "say", "{\"text\": \"hello\"}"));
        seen(200, execute(admin, "c1", "caller", "say", "{\"text\": \"hello\"}"));
        seen(409, execute(admin, "c1", "caller", "say", "{\"text\": \"other\"}"));
        assertThat(seen(200, execute(admin, "c2", "caller", "say", "{\"txet\": 5}"))
                        .json()
                        .path("outcome")
                        .asString())
                .isEqualTo("failed");
        seen(404, checked.send(admin, "POST /api/v1/tools/execute", """
                {"request_id": "c5", "agent_id": "caller", "tool_name": "say", "operation": "test", "parameters": {},
                 "session_id": "never"}"""));
        seen(403, execute(admin, "c3", "caller", "bash", "{\"command\": \"ls\"}"));
        seen(403, execute(server.as(FIRST, Role.AGENT), "c4", "caller", "say", "{\"text\": \"mine\"}"));
        seen(200, checked.ask(admin, "GET /api/v1/tools/permissions/{agent_id}", "caller"));
        seen(403, checked.ask(server.as(FIRST, Role.AGENT), "GET /api/v1/tools/permissions/{agent_id}", "caller"));
        seen(200, checked.ask(admin, "GET /api/v1/tools"));
        String evaluate = "POST /access/v1/evaluation";
        assertThat(seen(200, ask(evaluate, evaluation("caller", "say", "{\"text\": \"hello\"}")))
                        .json()
                        .path("decision")
                        .asBoolean())
                .isTrue();
        for (Reply denied : List.of(
                ask(evaluate, evaluation("caller", "bash", "{}")), ask(evaluate, evaluation("caller", "say", "{}")))) {
            assertThat(seen(200, denied).json().path("decision").asBoolean(true))
                    .isFalse();
        }
        seen(400, ask(evaluate, evaluation("caller", "say", "{}").replace("\"tool\"", "\"door\"")));
        seen(403, checked.send(server.as(FIRST, Role.AGENT), evaluate, evaluation("caller", "say", "{}")));
        String validate = "POST /api/v1/tools/validate";
        seen(200, ask(validate, "{\"agent_id\": \"caller\", \"tool_name\": \"say\", \"request_id\": \"v\"}"));
        seen(200, ask(validate, "{\"agent_id\": \"caller\", \"tool_name\": \"bash\", \"parameters\": {}}"));
        seen(
                403,
                checked.send(
                        server.as(FIRST, Role.AGENT), validate, "{\"agent_id\": \"caller\", \"tool_name\": \"say\"}"));
    }

    private static String evaluation(String agent, String tool, String arguments) {
        return """
                {"subject": {"type": "agent", "id": "%s"}, "action": {"name": "test", "properties": %s},
                 "resource": {"type": "tool", "id": "%s"}}""".formatted(agent, arguments, tool);
    }

    @ParameterizedTest
    @EnumSource
    void an_allowed_call_that_fails_says_so_for_every_error_code(ErrorCode code) {
        ask("PUT /api/v1/permissions/{agent_id}/{tool_name}", "{\"allowed\": true}", "caller", "say");
        int status = code == ErrorCode.INTERNAL_ERROR ? 500 : 200;

        JsonNode failed = seen(status, execute(admin, code.name(), "caller", "say", "{\"text\": \"" + code + "\"}"))
                .json();
        JsonNode collected = seen(status, checked.ask(admin, "GET /api/v1/calls/{request_id}", code.name()))
                .json();

        assertThat(failed.path("status").asString()).isEqualTo("allowed");
        assertThat(failed.path("outcome").asString()).isEqualTo("failed");
        assertThat(failed.path("request_id").asString()).isEqualTo(code.name());
        assertThat(failed.path("logged").asBoolean()).isTrue();
        assertThat(failed.at("/result/success").asBoolean()).isFalse();
        assertThat(failed.at("/result/data").asString()).isEqualTo("Half of it");
        assertThat(failed.at("/result/error/code").asString()).isEqualTo(code.name());
        assertThat(failed.at("/result/error/retryable").asBoolean()).isEqualTo(code.retryable());
        assertThat(failed.at("/result/error/remediation").asString())
                .isEqualTo(code.remediationOnceAllowed())
                .doesNotContain("ask an operator for a grant", "Authorization header");
        assertThat(collected).isEqualTo(failed);
    }

    @Test
    void approvals() {
        new ApprovalRequests(server, checked).approvals();
    }

    @Test
    void the_record() {
        ask("PUT /api/v1/permissions/{agent_id}/{tool_name}", "{\"allowed\": true}", "recorded", "say");
        execute(admin, "r1", "recorded", "say", "{\"text\": \"hello\"}");
        execute(admin, "r2", "recorded", "bash", "{\"command\": \"ls\"}");

        Reply page = seen(200, checked.ask(admin, "GET /api/v1/audit/logs?agent_id=recorded&limit=1"));
        assertThat(page.next()).isPresent();
        String one = "GET /api/v1/audit/logs/{record_id}";
        seen(200, checked.ask(admin, one, page.each("id").getFirst()));
        seen(
                404,
                checked.ask(server.as(ACME, Role.AUDITOR), one, page.each("id").getFirst()));
        seen(200, checked.ask(admin, "GET /api/v1/audit/histogram?agent_id=recorded"));
        seen(
                409,
                checked.ask(
                        admin,
                        "GET /api/v1/audit/histogram?interval=minute&start_date=2000-01-01T00:00:00Z"
                                + "&end_date=2001-01-01T00:00:00Z"));
        seen(409, checked.ask(admin, "GET /api/v1/sessions?order=newest&after=made-up"));
        seen(200, checked.ask(admin, "GET /api/v1/audit/facets?kind=all"));
        seen(200, checked.ask(admin, "POST /api/v1/audit/rollup"));
        assertThat(seen(200, checked.ask(admin, "GET /api/v1/permissions/usage?agent_id=recorded&limit=1"))
                        .next())
                .isPresent();
        Reply lines = seen(200, checked.ask(admin, "GET /api/v1/audit/export?agent_id=recorded&q=hello"));
        assertThat(lines.text().lines().toList()).hasSize(1).allSatisfy(line -> assertThat(contract.complaints(
                        contract.document().at("/components/schemas/AuditLog"), Json.MAPPER.readTree(line)))
                .isEmpty());
        seen(200, checked.ask(admin, "GET /api/v1/audit/export?format=csv&allowed=false"));
        Reply costs = seen(200, checked.ask(admin, "GET /api/v1/audit/costs?group_by=tool"));
        assertThat(costs.json().path("costs").size()).isOne();
        seen(200, checked.ask(admin, "GET /api/v1/audit/chains"));
        seen(200, checked.ask(admin, "GET /api/v1/audit/verify"));
        seen(200, checked.ask(admin, "GET /api/v1/audit/checkpoints"));
        seen(403, checked.ask(server.as(ACME, Role.AUDITOR), "GET /api/v1/audit/checkpoints"));
        seen(403, checked.ask(server.as(ACME, Role.AUDITOR), "GET /api/v1/audit/chains"));
    }

    @Test
    void artifacts() {
        String all = "/workspaces/{workspace_id}/artifacts";
        String one = all + "/{artifact_id}";
        String id = seen(201, checked.upload(admin, "POST " + all + "?name=report.csv", "hello", "ws"))
                .json()
                .path("id")
                .asString();
        seen(201, checked.upload(admin, "POST " + all, "", "ws"));
        seen(400, checked.ask(admin.with("Content-Type", "nonsense"), "POST " + all, "ws"));
        seen(413, checked.upload(admin, "POST " + all, "x".repeat(5000), "ws"));
        Client agent = server.as(ACME, Role.AGENT);
        seen(201, checked.upload(agent, "POST " + all, "x".repeat(4000), "ws"));
        seen(201, checked.upload(agent, "POST " + all, "x".repeat(4000), "ws"));
        seen(507, checked.upload(agent, "POST " + all, "x".repeat(4000), "ws"));
        assertThat(seen(200, checked.ask(admin, "GET " + all + "?limit=1", "ws"))
                        .next())
                .isPresent();
        seen(200, checked.ask(admin, "GET " + all + "?request_id=none", "ws"));
        Reply whole = seen(200, checked.ask(admin, "GET " + one, "ws", id));
        seen(304, checked.ask(admin.with("If-None-Match", whole.header("ETag").orElseThrow()), "GET " + one, "ws", id));
        seen(206, checked.ask(admin.with("Range", "bytes=1-2"), "GET " + one, "ws", id));
        seen(416, checked.ask(admin.with("Range", "bytes=5-"), "GET " + one, "ws", id));
        seen(404, checked.ask(admin, "GET " + one, "other", id));
        seen(403, checked.ask(server.as(FIRST, Role.AUDITOR), "DELETE " + one, "ws", id));
        seen(404, checked.ask(server.as(FIRST, Role.AGENT), "DELETE " + one, "ws", id));
        seen(404, checked.upload(admin, "POST " + all + "?session_id=never", "x", "ws"));
        seen(404, checked.ask(admin, "GET " + all + "?session_id=never", "ws"));
        seen(204, checked.ask(admin, "DELETE " + one, "ws", id));
        seen(404, checked.ask(admin, "DELETE " + one, "ws", id));
    }

    @Test
    void models() {
        seen(200, checked.ask(admin, "GET /api/v1/providers"));
        seen(403, checked.ask(server.as(FIRST, Role.AUDITOR), "GET /api/v1/providers"));
        String models = "GET /api/v1/providers/{provider}/models";
        String credentials = "POST /api/v1/providers/{provider}/credentials";
        seen(403, checked.ask(server.as(FIRST, Role.OPERATOR), models, "claude"));
        seen(403, checked.send(server.as(FIRST, Role.AUDITOR), credentials, "{}", "claude"));
        seen(404, checked.ask(admin, models, "nobody"));
        seen(404, ask(credentials, "{}", "nobody"));

        CLAUDE.does(talk -> talk.say(200, new ClaudeFrames().models()));
        seen(200, checked.ask(admin, models, "claude"));
        seen(200, ask(credentials, "{\"api_key\": \"a-key\"}", "claude"));
        CLAUDE.does(talk -> talk.say(401, new ClaudeFrames().refusal("no")));
        seen(400, checked.ask(admin, models, "claude"));
        seen(200, ask(credentials, "{}", "claude"));
        CLAUDE.does(talk -> talk.say(404, new ClaudeFrames().refusal("no")));
        seen(502, checked.ask(admin, models, "claude"));
        seen(502, ask(credentials, "{}", "claude"));
        CLAUDE.does(talk -> talk.say(429, new ClaudeFrames().refusal("no")));
        seen(429, checked.ask(admin, models, "claude"));
        CLAUDE.does(talk -> talk.say(500, new ClaudeFrames().refusal("no")));
        seen(503, checked.ask(admin, models, "claude"));
    }

    @Test
    void operation() {
        for (String open :
                new String[] {"/health", "/health/live", "/health/ready", "/openapi.json", "/openapi.yaml", "/docs"}) {
            seen(200, checked.ask(anonymous, "GET " + open));
        }
        seen(302, checked.ask(anonymous, "GET /"));
        seen(302, checked.ask(anonymous, "GET /console"));
        seen(200, checked.ask(anonymous, "GET /console/{page}", "agents"));
        seen(200, checked.ask(anonymous, "GET /console/{page}/{name}", "agents", "ada"));
        seen(400, checked.ask(anonymous, "GET /console/{page}", "x".repeat(101)));
        seen(400, checked.ask(anonymous, "GET /console/{page}/{name}", "agents", "x".repeat(201)));
        seen(200, checked.ask(anonymous, "GET /console/assets/{file}", "icon.svg"));
        seen(404, checked.ask(anonymous, "GET /console/assets/{file}", "nothing.js"));
        seen(200, checked.ask(admin, "GET /metrics"));
    }

    @Test
    @Order(LAST)
    void every_documented_answer_was_seen() throws Exception {
        new RefusedRequests(server, contract, checked).everywhere();
        checked.check(contract.operation(LiveRecords.OPERATION), LiveRecords.first(server));
        checked.check(contract.operation(LiveApprovals.OPERATION), LiveApprovals.first(server));
        checked.check(contract.operation(LiveConsole.OPERATION), LiveConsole.first(server));
        Set<String> wanted = new TreeSet<>();
        for (Contract.Operation operation : contract.operations()) {
            for (String status : operation.node().path("responses").propertyNames()) {
                if (!status.equals("default") && !OUT_OF_REACH.contains(Integer.valueOf(status))) {
                    wanted.add(operation.name() + " " + status);
                }
            }
        }

        assertThat(checked.seen()).containsAll(wanted);
    }

    private static Reply ask(String name, String body, String... places) {
        return checked.send(admin, name, body, places);
    }

    private static Reply execute(Client client, String request, String agent, String tool, String parameters) {
        return checked.send(client, "POST /api/v1/tools/execute", """
                {"request_id": "%s", "agent_id": "%s", "tool_name": "%s", "operation": "test", "parameters": %s}""".formatted(request, agent, tool, parameters));
    }
}
