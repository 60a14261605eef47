package dev.toolgate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.NeededInput;
import dev.toolgate.core.call.OutputChunk;
import dev.toolgate.core.call.Progress;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.Danger;
import dev.toolgate.runtime.upstream.AnnotationTrust;
import dev.toolgate.runtime.upstream.HostUpstreams.Registration;
import dev.toolgate.runtime.upstream.ProgramEnvironment;
import dev.toolgate.runtime.upstream.UpstreamEndpoint;
import dev.toolgate.runtime.upstream.UpstreamSettings;
import dev.toolgate.runtime.upstream.UpstreamState;
import dev.toolgate.runtime.upstream.UpstreamTools;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Misbehaving MCP server programs in the sandbox, called through the router. */
class McpProgramsTest extends WithOpenRuntime {
    private Path script;

    @BeforeEach
    void copyServer() throws IOException {
        Path programs = Files.createDirectory(folder.resolve("programs"));
        script = programs.resolve("nasty_server.py");
        try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream("/mcp/nasty_server.py"))) {
            Files.copy(in, script);
        }
        Files.setPosixFilePermissions(programs, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rw-r--r--"));
    }

    @AfterEach
    void no_process_is_left() {
        open.close();
        Awaitility.await().until(() -> processes().isEmpty());
    }

    /** The processes whose command line contains the path of this test's script. */
    private List<ProcessHandle> processes() {
        return ProcessHandle.allProcesses()
                .filter(process -> process.info()
                        .commandLine()
                        .filter(line -> line.contains(script.toString()))
                        .isPresent())
                .toList();
    }

    private UpstreamSettings nasty(String... arguments) {
        List<String> command = new ArrayList<>(List.of("/usr/bin/python3", script.toString()));
        command.addAll(List.of(arguments));
        return UpstreamSettings.of("nasty", UpstreamEndpoint.Program.of(command).reading(List.of(script.getParent())));
    }

    private Registration.Registered register(UpstreamSettings settings) {
        Registration registration = open.runtime.router().registerMcp(settings);
        assertThat(registration).isInstanceOf(Registration.Registered.class);
        return (Registration.Registered) registration;
    }

    private ToolResult call(String tool, Map<String, ?> arguments) {
        return open.call(tool, arguments);
    }

    private void works() {
        assertThat(call("nasty/echo", Map.of("text", "hello")).outputText()).isEqualTo("Echo: hello");
    }

    private static String message(ToolResult result) {
        return Objects.requireNonNull(result.error()).message();
    }

    @Test
    void tools_are_listed_and_called_and_invalid_ones_left_out() {
        Registration.Registered registered = register(nasty());

        assertThat(registered.tools()).contains("nasty/echo", "nasty/tree").doesNotContain("nasty/loop");
        assertThat(registered.skipped())
                .extracting(UpstreamTools.SkippedTool::tool)
                .containsExactly("loop", "remote", "bad name");
        assertThat(registered.skipped().getFirst().reason()).contains("leads back to itself without end");
        works();
        assertThat(open.runtime.router().getAvailableTools())
                .anySatisfy(tool -> assertThat(tool.toolName()).isEqualTo("nasty/echo"));
        assertError(call("nasty/echo", Map.of()), "INVALID_REQUEST", "Missing required field: text.");
        assertError(call("nasty/loop", Map.of()), "TOOL_NOT_FOUND", "nasty/loop");
    }

    @Test
    void only_allowed_tools_are_registered() {
        assertThat(register(nasty().allowing(List.of("echo", "none"))).tools()).containsExactly("nasty/echo");
        assertError(call("nasty/crash", Map.of()), "TOOL_NOT_FOUND", "nasty/crash");
    }

    @Test
    void tools_are_dangerous_unless_trusted_hints_say_otherwise() {
        register(nasty());
        assertThat(open.runtime.find("nasty/echo").spec().danger()).isEqualTo(Danger.DANGEROUS);
        register(nasty().trusting(AnnotationTrust.READ_ONLY_HINT));
        assertThat(open.runtime.find("nasty/echo").spec().danger()).isEqualTo(Danger.SAFE);
        assertThat(open.runtime.find("nasty/crash").spec().danger()).isEqualTo(Danger.DANGEROUS);
    }

    @Test
    void results_are_checked_against_the_output_schema() {
        register(nasty());
        assertThat(call("nasty/typed", Map.of("n", 3)).structured()).hasToString("{\"n\":3}");
        assertError(
                call("nasty/typed", Map.of("n", "three")),
                "TOOL_EXECUTION_FAILED",
                "does not fit the tool's output schema: Field 'n' must be a whole number, not text.");
    }

    @Test
    void errors_of_tools_and_of_the_protocol_are_distinguished() {
        register(nasty());
        ToolResult failed = call("nasty/fails", Map.of());
        assertThat(failed.status()).isEqualTo(ToolResult.Status.FAILED);
        assertThat(failed.outputText()).isEqualTo("it went wrong");
        assertError(
                call("nasty/refuses", Map.of()),
                "TOOL_EXECUTION_FAILED",
                "MCP server 'nasty' answered 'nasty/refuses' with an error: No such thing");
        works();
    }

    @Test
    void binary_content_becomes_artifacts_and_the_rest_is_text() {
        register(nasty());
        ToolResult result = call("nasty/content", Map.of());
        assertThat(result.outputText()).isEqualTo("""
                first
                [image of type image/png, 5 bytes, attached as an artifact]
                [audio of type application/octet-stream, 5 bytes, attached as an artifact]
                [resource of type application/pdf, 5 bytes, attached as an artifact]
                [resource x://2]
                inside
                [link to resource x://3: three]
                [content of type 'new-kind']""");
        assertThat(result.artifacts())
                .extracting(Artifact::name)
                .containsExactly("image-1.png", "audio-2", "resource-3.pdf");
    }

    @Test
    void progress_and_requests_for_input_reach_the_caller() {
        register(nasty());
        List<Progress> heard = new ArrayList<>();
        CallListener listener = new CallListener() {
            @Override
            public void onChunk(OutputChunk chunk) {}

            @Override
            public void onProgress(Progress progress) {
                heard.add(progress);
            }

            @Override
            public Map<String, ObjectNode> onInputNeeded(Map<String, NeededInput> inputs) {
                Map<String, ObjectNode> answers = new HashMap<>();
                inputs.forEach((key, input) -> answers.put(
                        key,
                        Json.MAPPER.createObjectNode().put("action", "accept").put("asked", input.method())));
                return answers;
            }
        };
        ToolResult steps =
                open.runtime.router().execute(ToolRequest.of("nasty/steps", Map.of()), listener, new Cancellation());
        assertThat(steps.outputText()).isEqualTo("done");
        assertThat(heard).extracting(Progress::message).containsExactly("step 1", "step 2");
        ToolResult answered =
                open.runtime.router().execute(ToolRequest.of("nasty/ask", Map.of()), listener, new Cancellation());
        assertThat(answered.outputText())
                .isEqualTo("answered {\"action\": \"accept\", \"asked\": \"elicitation/create\"}");
        assertThat(call("nasty/ask", Map.of()).outputText()).isEqualTo("answered {\"action\": \"cancel\"}");
    }

    @Test
    void a_crash_during_a_call_is_an_error_and_the_next_call_works() {
        register(nasty());
        ToolResult crashed = call("nasty/crash", Map.of());
        assertError(crashed, "TOOL_EXECUTION_FAILED", "The connection to MCP server 'nasty' was lost");
        assertThat(message(crashed)).contains("it may have run").contains("about to crash");
        works();
    }

    @Test
    void a_program_that_keeps_crashing_is_restarted_after_a_back_off() {
        register(nasty());
        for (int i = 0; i < 3; i++) {
            call("nasty/crash", Map.of());
        }
        assertThat(open.runtime.upstreams().state("nasty")).isInstanceOf(UpstreamState.Unavailable.class);
        Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(this::works);
    }

    @Test
    void a_call_that_hangs_times_out_and_the_program_is_replaced() {
        register(nasty().within(Duration.ofSeconds(3), Map.of("hang", Duration.ofMillis(500))));
        assertError(call("nasty/hang", Map.of()), "TOOL_EXECUTION_TIMEOUT", "nasty/hang");
        Awaitility.await().atMost(Duration.ofSeconds(60)).untilAsserted(this::works);
    }

    @Test
    void a_hanging_call_can_be_cancelled() throws Exception {
        register(nasty());
        hangUntil(() -> {});
    }

    /** Calls a tool that hangs, and cancels the call once it has started and an action has been carried out. */
    private void hangUntil(Runnable meanwhile) throws Exception {
        Cancellation cancellation = new Cancellation();
        CountDownLatch started = new CountDownLatch(1);
        CallListener listener = new CallListener() {
            @Override
            public void onChunk(OutputChunk chunk) {}

            @Override
            public void onStart() {
                started.countDown();
            }
        };
        try (ExecutorService calls = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<ToolResult> hanging = calls.submit(() ->
                    open.runtime.router().execute(ToolRequest.of("nasty/hang", Map.of()), listener, cancellation));
            try {
                assertThat(started.await(1, TimeUnit.MINUTES)).isTrue();
                meanwhile.run();
            } finally {
                cancellation.cancel();
            }
            assertError(hanging.get(1, TimeUnit.MINUTES), "TOOL_EXECUTION_FAILED", "cancelled");
        }
    }

    @Test
    void malformed_output_ends_the_program() {
        register(nasty());
        assertError(call("nasty/rubbish", Map.of()), "TOOL_EXECUTION_FAILED", "lines that are no messages");
        works();
    }

    @Test
    void a_response_of_100_mb_is_dropped_and_the_program_stays_usable() {
        register(nasty());
        assertError(call("nasty/huge", Map.of()), "TOOL_EXECUTION_FAILED", "more than 10485760 bytes");
        works();
    }

    @Test
    void a_changed_tool_is_withdrawn_until_registered_again() {
        register(nasty());
        assertThat(call("nasty/rename", Map.of()).outputText()).isEqualTo("renamed");
        Awaitility.await()
                .untilAsserted(() -> assertError(
                        call("nasty/echo", Map.of("text", "hello")), "TOOL_NOT_FOUND", "Unknown tool: nasty/echo"));
        assertThat(call("nasty/typed", Map.of()).outputText()).isEqualTo("typed");
        register(nasty());
        works();
    }

    @Test
    void programs_that_do_not_start_are_refused_with_the_reason() {
        assertThat(open.runtime.router().registerMcp(nasty("ends")))
                .isInstanceOfSatisfying(Registration.Refused.class, refused -> assertThat(
                                refused.failure().message())
                        .contains("exit code 3")
                        .contains("no licence found"));
        UpstreamSettings missing = UpstreamSettings.of("none", UpstreamEndpoint.Program.of(List.of("no-such-program")));
        assertThat(open.runtime.router().registerMcp(missing))
                .isInstanceOfSatisfying(Registration.Refused.class, refused -> assertThat(
                                refused.failure().message())
                        .startsWith("MCP server 'none' cannot be used: ")
                        .contains("not found"));
    }

    @Test
    void an_idle_program_is_stopped_and_started_by_the_next_call() {
        register(nasty().stoppedAfter(Duration.ofMillis(300)));
        Awaitility.await().until(() -> open.runtime.upstreams().state("nasty") instanceof UpstreamState.NotStarted);
        Awaitility.await().until(() -> processes().isEmpty());
        works();
    }

    @Test
    void a_program_in_use_for_longer_than_its_idle_time_is_stopped_after_its_last_call() throws Exception {
        register(nasty().stoppedAfter(Duration.ofMillis(200)));
        hangUntil(() -> Awaitility.await()
                .during(Duration.ofMillis(600))
                .until(() -> open.runtime.upstreams().state("nasty") instanceof UpstreamState.Connected));
        Awaitility.await().until(() -> open.runtime.upstreams().state("nasty") instanceof UpstreamState.NotStarted);
        Awaitility.await().until(() -> processes().isEmpty());
        works();
    }

    @Test
    void a_program_that_ignores_termination_ends_with_the_runtime() {
        register(nasty("stubborn"));
        works();
        open.close();
        assertThat(processes()).isEmpty();
    }

    @Test
    void child_processes_of_a_program_end_with_it() {
        register(nasty());
        String seconds = "6" + ProcessHandle.current().pid() + System.nanoTime() % 100_000;
        assertThat(call("nasty/spawn", Map.of("seconds", seconds)).outputText()).isEqualTo("spawned");
        open.runtime.router().unregisterMcp("nasty");
        assertThat(ProcessHandle.allProcesses().filter(process -> process.info()
                        .commandLine()
                        .filter(line -> line.endsWith("sleep " + seconds))
                        .isPresent()))
                .isEmpty();
        assertError(call("nasty/echo", Map.of("text", "a")), "TOOL_NOT_FOUND", "nasty/echo");
    }

    @Test
    void a_program_gets_only_the_configured_environment() {
        UpstreamEndpoint.Program program = (UpstreamEndpoint.Program) nasty().endpoint();
        register(UpstreamSettings.of("nasty", program.with(ProgramEnvironment.of(Map.of("API_TOKEN", "s3cret")))));
        String environment =
                Objects.requireNonNull(call("nasty/environment", Map.of()).outputText());
        assertThat(environment).contains("\"API_TOKEN\": \"s3cret\"");
        System.getenv().keySet().stream()
                .filter(name ->
                        !name.matches("PATH|LANG|LC_[A-Z_]+|TZ|HOME|TERM|PWD|OLDPWD|SHLVL|_|USER|LOGNAME|SHELL|TMPDIR"))
                .forEach(name -> assertThat(environment).doesNotContain("\"" + name + "\""));
    }

    @Test
    void a_program_writes_to_its_own_folder_only() {
        register(nasty());
        assertThat(call("nasty/touch", Map.of("path", "here.txt")).outputText()).endsWith("/nasty/workspace");
        Path outside = open.workspace.resolve("there.txt");
        call("nasty/touch", Map.of("path", outside.toString()));
        assertThat(outside).doesNotExist();
    }

    @Test
    void a_program_reaches_only_the_allowed_hosts() {
        register(nasty());
        assertThat(call("nasty/fetch", Map.of("url", "http://other.example/")).outputText())
                .isEqualTo("no network");
        UpstreamEndpoint.Program program = (UpstreamEndpoint.Program) nasty().endpoint();
        register(UpstreamSettings.of("nasty", program.reaching(List.of("named.example"))));
        assertThat(call("nasty/fetch", Map.of("url", "http://other.example/")).outputText())
                .as("refused by the proxy")
                .isEqualTo("status 403");
    }

    @Test
    void no_program_is_left_after_a_crash_of_the_gate() throws Exception {
        Process gate = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        GateToCrash.class.getName(),
                        open.workspace.toString(),
                        folder.resolve("other-state").toString(),
                        script.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (BufferedReader said =
                new BufferedReader(new InputStreamReader(gate.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(said.lines().anyMatch(GateToCrash.READY::equals)).isTrue();
            assertThat(processes()).isNotEmpty();
        } finally {
            gate.destroyForcibly().waitFor();
        }
        Awaitility.await().until(() -> processes().isEmpty());
    }
}
