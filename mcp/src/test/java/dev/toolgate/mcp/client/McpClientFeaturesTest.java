package dev.toolgate.mcp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.toolgate.mcp.client.http.EndpointCheck;
import dev.toolgate.mcp.client.http.HttpEndpoint;
import dev.toolgate.mcp.client.http.HttpExchanger;
import dev.toolgate.mcp.client.http.HttpTransport;
import dev.toolgate.mcp.client.http.ServerAuthorization;
import dev.toolgate.mcp.client.http.SocketConnector;
import dev.toolgate.mcp.client.http.SocketHttpExchanger;
import dev.toolgate.mcp.client.transport.CallCancellation;
import dev.toolgate.mcp.client.transport.CallTimeout;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.mcp.client.transport.TransportLimits;
import dev.toolgate.mcp.fixture.ConformanceServer;
import dev.toolgate.mcp.protocol.ClientCapabilities;
import dev.toolgate.mcp.protocol.ElicitResult;
import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.protocol.Implementation;
import dev.toolgate.mcp.protocol.InputRequest;
import java.io.IOException;
import java.net.URI;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLContext;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** All features of the client, against a complete server in both eras. */
class McpClientFeaturesTest {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final ObjectNode NOTHING = JsonNodeFactory.instance.objectNode();

    private final HttpExchanger exchanger =
            new SocketHttpExchanger(SocketConnector.ANY, SSLContext.getDefault(), Duration.ofSeconds(5));
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private ConformanceServer server;

    McpClientFeaturesTest() throws NoSuchAlgorithmException {}

    @BeforeEach
    void start() throws IOException {
        server = ConformanceServer.start();
    }

    @AfterEach
    void stop() {
        exchanger.close();
        server.close();
    }

    private McpClient connect(@Nullable Era era, String capabilities) throws McpFailure {
        ClientSettings settings = ClientSettings.of(new Implementation("test", "1"))
                .withInput(new ClientCapabilities(object(capabilities)), McpClientFeaturesTest::answer)
                .withListener((method, params) -> heard.add(method))
                .withTimeouts(CallTimeout.of(Duration.ofSeconds(30)), Duration.ofSeconds(30));
        return McpClient.connect(
                new HttpTransport(
                        HttpEndpoint.of(URI.create(server.url()), EndpointCheck.LOOPBACK_WITHOUT_TLS),
                        exchanger,
                        ServerAuthorization.fixed(Map.of()),
                        TransportLimits.DEFAULT),
                era == Era.LEGACY ? settings.withKnownEra(era) : settings);
    }

    private static InputAnswer answer(InputRequest request) {
        return switch (request.kind()) {
            case ELICIT_FORM ->
                new InputAnswer.Given(new ElicitResult(
                                ElicitResult.Action.ACCEPT,
                                object(
                                        "{\"name\": \"Ada\", \"color\": \"red\", \"response\": \"yes\", \"confirm\": true}"))
                        .json());
            case SAMPLE ->
                new InputAnswer.Given(object("{\"role\": \"assistant\", \"model\": \"m\","
                        + " \"content\": {\"type\": \"text\", \"text\": \"Paris\"}}"));
            case LIST_ROOTS -> new InputAnswer.Given(object("{\"roots\": [{\"uri\": \"file:///work\"}]}"));
            case ELICIT_URL -> new InputAnswer.Refused("No browser here.");
        };
    }

    private static ObjectNode object(String json) {
        return (ObjectNode) JSON.readTree(json);
    }

    private static String text(ObjectNode result) {
        return result.path("content").path(0).path("text").asString("");
    }

    private static final String ALL = "{\"elicitation\": {\"form\": {}}, \"sampling\": {}, \"roots\": {}}";
    private static final String TASKS =
            "{\"elicitation\": {\"form\": {}}, \"extensions\": {\"io.modelcontextprotocol/tasks\": {}}}";

    @Test
    void the_modern_era_is_probed_first() throws Exception {
        try (McpClient client = connect(null, "{}")) {
            assertThat(client.server().era()).isEqualTo(Era.MODERN);
            assertThat(client.server().version()).isEqualTo("2026-07-28");
            assertThat(client.server().server()).isEqualTo(new Implementation("conformance-fixture", "1.0.0"));
            assertThat(client.server().instructions()).isEqualTo("A server for tests.");
        }
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void tools_are_listed_and_called(Era era) throws Exception {
        try (McpClient client = connect(era, "{}")) {
            assertThat(client.server().era()).isEqualTo(era);
            ToolList list = client.listTools(CallOptions.DEFAULT);
            assertThat(list.tools())
                    .extracting(tool -> tool.path("name").stringValue())
                    .contains("greet");
            assertThat(list.invalid()).isEmpty();
            assertThat(text(client.callTool("greet", object("{\"name\": \"Ada\"}"), CallOptions.DEFAULT)))
                    .isEqualTo("Hello, Ada!");
            assertThat(client.callTool("test_error_handling", NOTHING, CallOptions.DEFAULT)
                            .path("isError")
                            .asBoolean())
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void resources_prompts_completions_and_pings_work(Era era) throws Exception {
        try (McpClient client = connect(era, "{}")) {
            client.ping(CallOptions.DEFAULT);
            assertThat(client.listResources(CallOptions.DEFAULT)).hasSize(3);
            assertThat(client.listResourceTemplates(CallOptions.DEFAULT)).hasSize(1);
            assertThat(client.readResource("test://static-text", CallOptions.DEFAULT)
                            .path("contents")
                            .path(0)
                            .path("text")
                            .stringValue())
                    .isEqualTo("The text of test://static-text.");
            assertThat(client.listPrompts(CallOptions.DEFAULT)).hasSize(5);
            assertThat(client.getPrompt("test_simple_prompt", NOTHING, CallOptions.DEFAULT)
                            .path("messages")
                            .size())
                    .isEqualTo(1);
            ObjectNode question =
                    object("{\"ref\": {\"type\": \"ref/prompt\", \"name\": \"test_prompt_with_arguments\"},"
                            + " \"argument\": {\"name\": \"arg1\", \"value\": \"a\"}}");
            assertThat(client.complete(question, CallOptions.DEFAULT).has("completion"))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void an_error_of_the_server_is_passed_on(Era era) throws Exception {
        try (McpClient client = connect(era, "{}")) {
            McpFailure failure = catchThrowableOfType(
                    McpFailure.class, () -> client.callTool("no_such_tool", NOTHING, CallOptions.DEFAULT));
            assertThat(failure.kind()).isEqualTo(McpFailureKind.SERVER_ERROR);
            assertThat(Objects.requireNonNull(failure.error()).code()).isEqualTo(-32602);
            assertThat(failure).hasMessage("There is no tool no_such_tool.");
        }
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void progress_is_reported(Era era) throws Exception {
        List<Integer> steps = new ArrayList<>();
        try (McpClient client = connect(era, "{}")) {
            CallOptions options = CallOptions.DEFAULT.withProgress(
                    params -> steps.add(params.path("progress").intValue()));
            assertThat(text(client.callTool("test_tool_with_progress", NOTHING, options)))
                    .isEqualTo("Reported.");
            assertThat(steps).containsExactly(0, 50, 100);
        }
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void a_call_is_cancelled_by_another_thread(Era era) throws Exception {
        CallCancellation cancellation = new CallCancellation();
        try (McpClient client = connect(era, "{}")) {
            AtomicBoolean started = new AtomicBoolean();
            Thread.startVirtualThread(() -> {
                Awaitility.await().untilTrue(started);
                cancellation.cancel("No longer wanted.");
            });
            McpFailure failure = catchThrowableOfType(
                    McpFailure.class,
                    () -> client.callTool(
                            "slow_compute",
                            object("{\"seconds\": 20}"),
                            CallOptions.DEFAULT
                                    .withProgress(_ -> started.set(true))
                                    .withCancellation(cancellation)));
            assertThat(failure.kind()).isEqualTo(McpFailureKind.CANCELLED);
            assertThat(failure).hasMessage("No longer wanted.");
            assertThat(text(client.callTool("greet", NOTHING, CallOptions.DEFAULT)))
                    .isEqualTo("Hello, you!");
        }
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void requests_of_the_server_for_input_are_answered(Era era) throws Exception {
        try (McpClient client = connect(era, ALL)) {
            assertThat(text(client.callTool("test_elicitation", object("{\"message\": \"?\"}"), CallOptions.DEFAULT)))
                    .contains("yes");
            assertThat(text(client.callTool("test_sampling", object("{\"prompt\": \"?\"}"), CallOptions.DEFAULT)))
                    .isEqualTo("The model says: Paris");
            assertThat(text(client.callTool("test_input_required_result_list_roots", NOTHING, CallOptions.DEFAULT)))
                    .contains("file:///work");
        }
    }

    @Test
    void a_call_can_have_its_own_handler_and_capabilities() throws Exception {
        try (McpClient client = connect(Era.MODERN, "{}")) {
            CallOptions options =
                    CallOptions.DEFAULT.withInput(McpClientFeaturesTest::answer, new ClientCapabilities(object(ALL)));
            assertThat(text(client.callTool("test_input_required_result_multi_round", NOTHING, options)))
                    .isEqualTo("Ada likes red");
            McpFailure failure = catchThrowableOfType(
                    McpFailure.class,
                    () -> client.callTool("test_input_required_result_multi_round", NOTHING, CallOptions.DEFAULT));
            assertThat(Objects.requireNonNull(failure.error()).code()).isEqualTo(-32021);
        }
    }

    @Test
    void the_raw_result_is_available() throws Exception {
        try (McpClient client = connect(Era.MODERN, ALL)) {
            ObjectNode params = object("{\"name\": \"test_input_required_result_request_state\", \"arguments\": {}}");
            ObjectNode result = client.request("tools/call", params, CallOptions.DEFAULT);
            assertThat(result.path("resultType").stringValue()).isEqualTo("input_required");
            assertThat(result.path("requestState").isString()).isTrue();
        }
    }

    @Test
    void a_call_waits_for_its_task() throws Exception {
        try (McpClient client = connect(Era.MODERN, TASKS)) {
            assertThat(text(client.callTool("slow_compute", object("{\"seconds\": 0.2}"), CallOptions.DEFAULT)))
                    .isEqualTo("Computed.");
            assertThat(text(client.callTool("confirm_delete", NOTHING, CallOptions.DEFAULT)))
                    .contains("confirm-1");
            assertThat(client.callTool("failing_job", NOTHING, CallOptions.DEFAULT)
                            .path("isError")
                            .asBoolean())
                    .isTrue();
            McpFailure broken = catchThrowableOfType(
                    McpFailure.class, () -> client.callTool("protocol_error_job", NOTHING, CallOptions.DEFAULT));
            assertThat(Objects.requireNonNull(broken.error()).code()).isEqualTo(-32603);
        }
    }

    @Test
    void a_task_is_cancelled_with_its_call() throws Exception {
        CallCancellation cancellation = new CallCancellation();
        try (McpClient client = connect(Era.MODERN, TASKS)) {
            Thread.startVirtualThread(() -> {
                Awaitility.await().until(server::hasPolledTask);
                cancellation.cancel("Enough.");
            });
            McpFailure failure = catchThrowableOfType(
                    McpFailure.class,
                    () -> client.callTool(
                            "slow_compute",
                            object("{\"seconds\": 30}"),
                            CallOptions.DEFAULT.withCancellation(cancellation)));
            assertThat(failure.kind()).isEqualTo(McpFailureKind.CANCELLED);
            Awaitility.await().until(() -> !server.hasPolledTask());
        }
    }

    @ParameterizedTest
    @EnumSource(Era.class)
    void the_listener_is_notified_of_changed_lists(Era era) throws Exception {
        try (McpClient client = connect(era, "{}");
                McpSubscription subscription = client.listen(object("{\"toolsListChanged\": true}"))) {
            assertThat(subscription.isOpen()).isTrue();
            Awaitility.await().until(() -> {
                client.callTool("test_trigger_tool_change", NOTHING, CallOptions.DEFAULT);
                return heard.contains("notifications/tools/list_changed");
            });
        }
    }

    @Test
    void mirrored_arguments_are_sent_as_headers() throws Exception {
        try (McpClient client = connect(Era.MODERN, "{}")) {
            client.listTools(CallOptions.DEFAULT);
            ObjectNode arguments = object("{\"region\": \"Zürich\", \"count\": 42, \"query\": \"q\"}");
            assertThat(text(client.callTool("test_mirrored_arguments", arguments, CallOptions.DEFAULT)))
                    .isEqualTo(arguments.toString());
        }
    }

    @Test
    void tools_are_listed_when_a_call_lacks_mirrored_headers() throws Exception {
        try (McpClient client = connect(Era.MODERN, "{}")) {
            ObjectNode arguments = object("{\"region\": \"us-west1\"}");
            assertThat(text(client.callTool("test_mirrored_arguments", arguments, CallOptions.DEFAULT)))
                    .isEqualTo(arguments.toString());
        }
    }
}
