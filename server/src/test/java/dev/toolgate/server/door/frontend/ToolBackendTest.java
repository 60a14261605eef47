package dev.toolgate.server.door.frontend;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.door.Seed;
import dev.toolgate.server.operate.SayTool;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

class ToolBackendTest {
    private static final Logger LOG = LoggerFactory.getLogger(ToolBackendTest.class);
    private static final AtomicInteger RUNS = new AtomicInteger();

    @TempDir
    private static Path home;

    private static RunningServer server;
    private static Client agent;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home, new SayTool(ToolBackendTest::say));
        agent = server.as(FIRST, Role.AGENT);
        server.admin().post("/api/v1/agents", "{\"agent_id\": \"agent_1\"}");
        server.admin().put("/api/v1/permissions/agent_1/say", "{\"allowed\": true}");
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    private static Output say(String text) throws ToolFailure {
        RUNS.incrementAndGet();
        LOG.info("The tool says {}", text);
        for (ErrorCode code : ErrorCode.values()) {
            if (code.name().equals(text)) {
                throw new ToolFailure(code, "As asked", Output.text("Half of it"));
            }
        }
        return Output.text("said " + text);
    }

    @Test
    void a_tool_without_a_structured_value_answers_with_its_text() {
        Reply reply = agent.post("/execute-tool", said("hello", "c1"));

        assertThat(reply.json().path("result").asString()).isEqualTo("said hello");
        JsonNode listed = agent.get("/tools").json().path("tools").get(0);
        assertThat(listed.path("name").asString()).isEqualTo("saySomething");
        assertThat(Seed.complaints(listed.path("responseSchema"), reply.json().path("result")))
                .isEmpty();
    }

    @Test
    void an_agent_sees_the_tools_it_may_use_and_no_others() {
        assertThat(names(agent.get("/tools"))).containsExactly("saySomething");
        assertThat(names(server.admin().with("X-Agent-ID", "nobody").get("/tools")))
                .isEmpty();
        assertThat(names(server.admin().get("/tools"))).contains("saySomething", "readFile", "executeShellCommand");
    }

    @Test
    void the_correlation_id_of_the_body_is_in_the_response_and_the_log() {
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        ch.qos.logback.classic.Logger root =
                (ch.qos.logback.classic.Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        root.addAppender(lines);
        Reply reply = agent.post("/execute-tool", said("in the log", "from-the-body"));
        root.detachAppender(lines);

        assertThat(correlated(reply)).isEqualTo("from-the-body");
        List<ILoggingEvent> ours = List.copyOf(lines.list).stream()
                .filter(line -> line.getFormattedMessage().contains("in the log"))
                .toList();
        assertThat(ours).isNotEmpty().allSatisfy(line -> assertThat(line.getMDCPropertyMap())
                .containsEntry("correlation_id", "from-the-body"));
    }

    @Test
    void the_correlation_id_of_the_header_is_used_or_one_is_generated() {
        String without = "{\"tool\": \"say\", \"args\": {\"text\": \"x\"}}";

        assertThat(correlated(agent.with("X-Correlation-ID", "from-the-header").post("/execute-tool", without)))
                .isEqualTo("from-the-header");
        assertThat(correlated(agent.with("X-Correlation-ID", "same").post("/execute-tool", said("x", "same"))))
                .isEqualTo("same");
        assertThat(correlated(agent.post("/execute-tool", without)))
                .isNotBlank()
                .isNotEqualTo(correlated(agent.post("/execute-tool", without)));
    }

    @Test
    void different_correlation_ids_are_refused_and_nothing_runs() {
        int before = RUNS.get();
        Reply reply = agent.with("X-Correlation-ID", "one").post("/execute-tool", said("x", "two"));

        assertThat(reply.status()).isEqualTo(400);
        assertThat(error(reply)).isEqualTo("INVALID_ARGUMENT");
        assertThat(correlated(reply)).isEqualTo("two");
        assertThat(RUNS).hasValue(before);
    }

    @Test
    void an_unknown_field_is_ignored() {
        String body = said("more than asked", "c1").replaceFirst("\\{", "{\"colour\": \"red\", \"version\": 2, ");

        Reply reply = agent.post("/execute-tool", body);

        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
        assertThat(reply.json().path("result").asString()).isEqualTo("said more than asked");
    }

    @Test
    void the_same_id_again_is_another_call() {
        int before = RUNS.get();
        agent.post("/execute-tool", said("x", "again"));
        Reply second = agent.post("/execute-tool", said("y", "again"));

        assertThat(second.json().path("result").asString()).isEqualTo("said y");
        assertThat(RUNS).hasValue(before + 2);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {"tool": "say", "args": {"text": "x"}                              | 400 | INVALID_ARGUMENT
            []                                                                 | 400 | INVALID_ARGUMENT
            {"args": {"text": "x"}}                                            | 400 | INVALID_ARGUMENT
            {"tool": "say"}                                                    | 400 | INVALID_ARGUMENT
            {"tool": "say", "args": "x"}                                       | 400 | INVALID_ARGUMENT
            {"tool": "say", "args": {"text": "x"}, "correlationId": 7}         | 400 | INVALID_ARGUMENT
            {"tool": "say", "args": {"text": "x"}, "correlationId": ""}        | 400 | INVALID_ARGUMENT
            {"tool": "say", "args": {"text": "x"}, "correlationId": "a\\u0000"} | 400 | INVALID_ARGUMENT
            {"tool": "", "args": {"text": "x"}}                                | 400 | INVALID_ARGUMENT
            {"tool": "say", "args": {"text": 5}}                               | 400 | INVALID_ARGUMENT
            {"tool": "say", "args": {}}                                        | 400 | INVALID_ARGUMENT
            {"tool": "bash", "args": {"command": "ls"}}                        | 403 | PERMISSION_DENIED
            {"tool": "nothing", "args": {}}                                    | 403 | PERMISSION_DENIED""")
    void invalid_requests_get_errors_in_the_documented_format(String body, int status, String code) {
        int before = RUNS.get();
        Reply reply = agent.with("X-Correlation-ID", "bad").post("/execute-tool", body);

        assertThat(reply.status()).as(reply.toString()).isEqualTo(status);
        assertThat(Seed.complaints("tool-backend/error.json", reply.json()))
                .as(reply.toString())
                .isEmpty();
        assertThat(error(reply)).isEqualTo(code);
        assertThat(correlated(reply)).isEqualTo("bad");
        assertThat(RUNS).hasValue(before);
    }

    @Test
    void a_tool_failure_has_a_remediation_and_the_partial_output() {
        for (Map.Entry<ErrorCode, Integer> row : Map.of(
                        ErrorCode.FILE_NOT_FOUND, 404, ErrorCode.TOOL_EXECUTION_TIMEOUT, 504)
                .entrySet()) {
            Reply reply = agent.post("/execute-tool", said(row.getKey().name(), "c"));

            assertThat(reply.status()).isEqualTo(row.getValue());
            assertThat(Seed.complaints("tool-backend/error.json", reply.json())).isEmpty();
            JsonNode error = reply.json().path("error");
            assertThat(error.path("retryable").asBoolean())
                    .isEqualTo(row.getKey().retryable());
            assertThat(error.path("remediation").asString())
                    .isEqualTo(row.getKey().remediation());
            assertThat(error.path("details").path("partialOutput").asString()).isEqualTo("Half of it");
        }
    }

    @Test
    void missing_or_wrong_keys_get_an_error_with_the_correlation_id() {
        for (Client stranger : List.of(server.anonymous(), server.withKey("tg_wrong"))) {
            Reply reply = stranger.with("X-Correlation-ID", "mine").post("/execute-tool", said("x", "mine"));

            assertThat(reply.status()).isEqualTo(401);
            assertThat(Seed.complaints("tool-backend/error.json", reply.json())).isEmpty();
            assertThat(error(reply)).isEqualTo("UNAUTHORIZED");
            assertThat(correlated(reply)).isEqualTo("mine");
            assertThat(stranger.get("/tools").status()).isEqualTo(401);
        }
    }

    @Test
    void only_an_orchestrator_may_name_an_agent() {
        Client orchestrator = server.as(FIRST, Role.ORCHESTRATOR);

        assertThat(orchestrator
                        .with("X-Agent-ID", "agent_1")
                        .post("/execute-tool", said("x", "c"))
                        .status())
                .isEqualTo(200);
        Reply unnamed = orchestrator.post("/execute-tool", said("x", "c"));
        assertThat(unnamed.status()).isEqualTo(403);
        assertThat(unnamed.message()).contains("X-Agent-ID");
        assertThat(server.as(FIRST, Role.OPERATOR)
                        .post("/execute-tool", said("x", "c"))
                        .message())
                .contains("operator may not use tools");
        assertThat(server.as(FIRST, Role.OPERATOR)
                        .with("X-Agent-ID", "agent_1")
                        .post("/execute-tool", said("x", "c"))
                        .status())
                .isEqualTo(403);
    }

    @Test
    void an_agent_that_names_another_is_refused_and_recorded() {
        int before = RUNS.get();
        Reply reply = agent.with("X-Agent-ID", "victim").post("/execute-tool", said("x", "c"));

        assertThat(reply.status()).isEqualTo(403);
        assertThat(agent.with("X-Agent-ID", "victim").get("/tools").status()).isEqualTo(403);
        assertThat(RUNS).hasValue(before);
        JsonNode records =
                server.admin().get("/api/v1/audit/logs?agent_id=victim").json();
        assertThat(records.toString()).contains("may not act for agent 'victim'");
    }

    private static String said(String text, String correlation) {
        return "{\"tool\": \"say\", \"args\": {\"text\": \"" + text + "\"}, \"correlationId\": \"" + correlation
                + "\"}";
    }

    private static List<String> names(Reply reply) {
        return reply.json()
                .path("tools")
                .valueStream()
                .map(tool -> tool.path("name").asString())
                .toList();
    }

    private static String error(Reply reply) {
        return reply.json().path("error").path("code").asString();
    }

    /** The correlation id in the body, which must equal the header's. */
    private static String correlated(Reply reply) {
        String id = reply.json().path("correlationId").asString();
        assertThat(reply.header("X-Correlation-ID")).contains(id);
        return id;
    }
}
