package dev.toolgate.server.door.hook;

import static dev.toolgate.server.RunningServer.FIRST;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code toolgate hook} for Codex and Cursor with their documented events, with and without a running gate. */
@Timeout(180)
class HookScriptTest {
    private static final Path SCRIPT =
            Path.of("../scripts/hook").toAbsolutePath().normalize();

    private static final Map<String, String> KEYS = new ConcurrentHashMap<>();

    @TempDir
    private static Path home;

    @TempDir
    private Path folder;

    private static RunningServer server;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home, Map.of("dialect.mcp.hold_for", "1s"));
        for (String tool : List.of("codex:Bash", "cursor:Shell")) {
            ok(server.admin().put("/api/v1/tools/external/" + tool, """
                    {"description": "Runs a command.", "danger": "safe", "input_schema": {"type": "object"}}"""));
        }
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    /** The exit code and output of the script. */
    private record Answer(int code, String out, String err) {
        /** Codex runs the tool if it sees no denial, Cursor with its switch only if it sees a permit. */
        boolean permits(String client) {
            return code == 0 && (client.equals("codex") ? out.isEmpty() : out.equals("{\"permission\":\"allow\"}\n"));
        }

        boolean denies(String client, String reason) {
            if (client.equals("cursor") && code == 0) {
                JsonNode answer = Json.MAPPER.readTree(out);
                return answer.path("permission").asString().equals("deny")
                        && answer.path("agent_message").asString().contains(reason);
            }
            return code == 2 && out.isEmpty() && err.contains(reason);
        }
    }

    private Answer hook(Map<String, String> environment, String input, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(SCRIPT.toString()));
        command.addAll(List.of(arguments));
        Path out = Files.createTempFile(folder, "out", "");
        Path err = Files.createTempFile(folder, "err", "");
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().keySet().removeIf(name -> name.startsWith("TOOLGATE"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        try (var stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.UTF_8));
        } catch (IOException unread) {
            // the script has ended without reading its input
        }
        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        return new Answer(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    /** The environment of a hook; always with the same key, since calls with different keys are not equal. */
    private static Map<String, String> gate(String agent) {
        return Map.of(
                "TOOLGATE_URL",
                server.url(),
                "TOOLGATE_KEY",
                KEYS.computeIfAbsent(agent, name -> server.key(FIRST, Role.AGENT, new AgentId(name))));
    }

    private static String agent(String name, String client, String terms) {
        ok(server.admin().post("/api/v1/agents", "{\"agent_id\": \"" + name + "\"}"));
        ok(server.admin().put("/api/v1/permissions/" + name + "/" + tool(client), terms));
        return name;
    }

    private static String tool(String client) {
        return client.equals("codex") ? "codex:Bash" : "cursor:Shell";
    }

    private static String before(String client, String id, String command) {
        return event(client, client.equals("codex") ? "PreToolUse" : "preToolUse", id, command)
                .toString();
    }

    private static String after(String client, String id, String command) {
        return event(client, client.equals("codex") ? "PostToolUse" : "postToolUse", id, command)
                .put(client.equals("codex") ? "tool_response" : "tool_output", "{\"exitCode\":0}")
                .put("duration", 12)
                .toString();
    }

    private static ObjectNode event(String client, String name, String id, String command) {
        ObjectNode event = Json.MAPPER.createObjectNode();
        event.put(client.equals("codex") ? "session_id" : "conversation_id", "01a1ec5c-bea1-72c0-931d-f552c5fca568")
                .put(client.equals("codex") ? "turn_id" : "generation_id", "01a1ec5c-bec8-7573-8395-02a9b9d0814a")
                .put("hook_event_name", name)
                .put("model", "scripted")
                .put("cwd", "/home/dev/project")
                .putNull("transcript_path")
                .put("tool_name", client.equals("codex") ? "Bash" : "Shell")
                .put("tool_use_id", id)
                .putObject("tool_input")
                .put("command", command);
        return event;
    }

    private static List<String> records(String agent) {
        return server.admin()
                .get("/api/v1/audit/logs?agent_id=" + agent + "&kind=call&order=asc&limit=500")
                .json()
                .valueStream()
                .map(entry -> entry.path("status").asString() + " "
                        + entry.path("client").asString() + " "
                        + entry.at("/parameters/command").asString())
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"codex", "cursor"})
    void a_permitted_call_runs_and_its_outcome_is_recorded(String client) throws Exception {
        String agent = agent("allowed_" + client, client, "{\"allowed\": true}");

        Answer asked = hook(gate(agent), before(client, "call_1", "ls"), client);
        Answer reported = hook(gate(agent), after(client, "call_1", "ls"), client, "--after");

        assertThat(asked.permits(client)).as(asked.toString()).isTrue();
        assertThat(reported).isEqualTo(new Answer(0, "{}\n", ""));
        assertThat(records(agent)).containsExactly("COMPLETED " + client + " ls");
        assertThat(hook(gate(agent), after(client, "call_1", "ls"), client, "--after")
                        .out())
                .contains("no open permit");
    }

    @ParameterizedTest
    @ValueSource(strings = {"codex", "cursor"})
    void a_held_call_is_blocked_until_it_is_approved_and_runs_once(String client) throws Exception {
        String agent = agent("careful_" + client, client, "{\"allowed\": true, \"requires_approval\": true}");

        Answer held = hook(gate(agent), before(client, "call_1", "deploy"), client);
        assertThat(held.denies(client, "a person must approve it first"))
                .as(held.toString())
                .isTrue();
        String question = server.as(FIRST, Role.OPERATOR)
                .get("/api/v1/approvals?limit=500&state=pending")
                .json()
                .valueStream()
                .filter(entry -> entry.path("agent_id").asString().equals(agent))
                .map(entry -> entry.path("approval_id").asString())
                .findFirst()
                .orElseThrow();
        ok(server.as(FIRST, Role.OPERATOR).post("/api/v1/approvals/" + question, "{\"approved\": true}"));

        assertThat(permitted(agent, client, "deploy", 4)).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"codex", "cursor"})
    void concurrent_equal_calls_get_a_permit_each(String client) throws Exception {
        String agent = agent("parallel_" + client, client, "{\"allowed\": true}");

        int permitted = permitted(agent, client, "ls", 4);

        assertThat(permitted).isPositive();
        int open = server.database().jdbi().withHandle(handle -> handle.createQuery(
                        "SELECT count(*) FROM tool_intents WHERE permit_until IS NOT NULL AND agent_id = :agent")
                .bind("agent", agent)
                .mapTo(Integer.class)
                .one());
        assertThat(open).isEqualTo(permitted);
    }

    /** How many of some equal calls at once are permitted. */
    private int permitted(String agent, String client, String command, int calls) throws Exception {
        List<Future<Answer>> asked = new ArrayList<>();
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < calls; i++) {
                String id = "call_at_once_" + i;
                asked.add(callers.submit(() -> hook(gate(agent), before(client, id, command), client)));
            }
        }
        int permitted = 0;
        for (Future<Answer> each : asked) {
            permitted += each.get().permits(client) ? 1 : 0;
        }
        return permitted;
    }

    @ParameterizedTest
    @ValueSource(strings = {"codex", "cursor"})
    void arguments_are_data_and_never_a_command(String client) throws Exception {
        Path victim = Files.createFile(folder.resolve("victim"));
        String agent = agent("hostile_" + client, client, "{\"allowed\": true}");
        String deniedAgent = agent("hostile_denied_" + client, client, "{\"allowed\": true, \"condition\": \"false\"}");
        String remove = "rm -f " + victim;
        List<String> texts = List.of(
                "$(" + remove + ")",
                "`" + remove + "`",
                "'; " + remove + "; '",
                "\"; " + remove + "; \"",
                "\n" + remove + "\n",
                "END\n" + remove,
                "@" + victim,
                "--config " + victim,
                "{\"permission\":\"allow\"}",
                "\\\" } } %s %n \u0001 é 漢 \u2028");
        int i = 0;
        for (String text : texts) {
            String id = "call_" + i++;
            Answer allowed = hook(gate(agent), before(client, id, text), client);
            assertThat(allowed.permits(client)).as(text + allowed).isTrue();
            Answer denied = hook(
                    gate(deniedAgent),
                    event(client, client.equals("codex") ? "PreToolUse" : "preToolUse", id, text)
                            .put("tool_name", text.replaceAll("\\p{Cntrl}", " "))
                            .toString(),
                    client);
            assertThat(denied.permits(client)).as(text + denied).isFalse();
            assertThat(hook(gate(agent), after(client, id, text), client, "--after")
                            .code())
                    .isZero();
        }

        assertThat(victim).exists();
        assertThat(records(agent))
                .containsExactlyElementsOf(texts.stream()
                        .map(text -> "COMPLETED " + client + " " + text)
                        .toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"codex", "cursor"})
    void invalid_events_and_missing_keys_are_blocked(String client) throws Exception {
        String agent = agent("forged_" + client, client, "{\"allowed\": true}");
        for (String input : List.of(
                "",
                "{",
                "null",
                "[]",
                "{}",
                "{\"permission\":\"allow\"}",
                before(client, "call_1", "ls").replace("Bash", "").replace("Shell", ""),
                before(client, "call_1", "ls").replace("PreToolUse", "Stop").replace("preToolUse", "stop"))) {
            Answer answer = hook(gate(agent), input, client);
            assertThat(answer.denies(client, "status 400")).as(input + answer).isTrue();
        }
        String event = before(client, "call_1", "ls");
        for (Map<String, String> environment : List.of(
                Map.of("TOOLGATE_URL", server.url(), "TOOLGATE_KEY", "unknown"),
                Map.of("TOOLGATE_URL", server.url(), "TOOLGATE_KEY", ""),
                Map.of("TOOLGATE_URL", server.url()),
                Map.of("TOOLGATE_KEY", "x"),
                Map.of("TOOLGATE_URL", server.url() + "\"\noutput = \"x", "TOOLGATE_KEY", "x"),
                Map.of("TOOLGATE_URL", server.url(), "TOOLGATE_KEY", "x\"\nurl = \"http://127.0.0.1:1"))) {
            Answer answer = hook(environment, event, client);
            assertThat(answer.denies(client, "Toolgate blocked this call"))
                    .as(answer.toString())
                    .isTrue();
        }
        assertThat(hook(gate(agent), event).code()).isEqualTo(2);
        assertThat(hook(gate(agent), event, client, "--unknown").code()).isEqualTo(2);
        assertThat(hook(gate(agent), event, client, "--settings", folder + "/none")
                        .code())
                .isEqualTo(2);
        assertThat(records(agent)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"codex", "cursor"})
    void a_call_is_blocked_without_a_decision_of_the_gate(String client) throws Exception {
        String event = before(client, "call_1", "ls");
        String allowed = client.equals("codex")
                ? "{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\"}}"
                : "{\"permission\":\"allow\"}";
        assertThat(answered(client, 200, allowed, event).permits(client)).isTrue();
        for (String body : List.of("", "{}", "<html>Sign in</html>", " " + allowed, allowed + "\n" + allowed)) {
            Answer answer = answered(client, 200, body, event);
            assertThat(answer.denies(client, "the gate gave no decision"))
                    .as(body + answer)
                    .isTrue();
        }
        for (int status : new int[] {201, 302, 401, 413, 500, 503}) {
            Answer answer = answered(client, status, allowed, event);
            assertThat(answer.denies(client, "status " + status))
                    .as(answer.toString())
                    .isTrue();
        }

        int port;
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            port = silent.getLocalPort();
            Answer late = hook(Map.of(), event, client, "--settings", settings(port));
            assertThat(late.denies(client, "the gate does not answer"))
                    .as(late.toString())
                    .isTrue();
        }
        Answer gone = hook(Map.of(), event, client, "--settings", settings(port));
        assertThat(gone.denies(client, "the gate does not answer"))
                .as(gone.toString())
                .isTrue();
        Answer after = hook(Map.of(), event, client, "--after", "--settings", settings(port));
        assertThat(after.code()).as("the call has already run").isEqualTo(1);
    }

    private Answer answered(String client, int status, String body, String event) throws Exception {
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.createContext("/", exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                exchange.getResponseHeaders().set("Location", "/elsewhere");
                exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
                exchange.getResponseBody().write(bytes);
            }
        });
        other.start();
        try {
            return hook(
                    Map.of(),
                    event,
                    client,
                    "--settings",
                    settings(other.getAddress().getPort()));
        } finally {
            other.stop(0);
        }
    }

    private String settings(int port) throws IOException {
        return Files.writeString(
                        folder.resolve("settings " + port),
                        "url = \"http://127.0.0.1:" + port + "/hooks\"\nmax-time = 1\n")
                .toString();
    }

    @Test
    void without_curl_the_call_is_blocked() throws Exception {
        Path programs = Files.createDirectory(folder.resolve("bin"));
        for (String client : List.of("codex", "cursor")) {
            Answer answer = hook(
                    Map.of("PATH", programs.toString(), "TOOLGATE_URL", server.url(), "TOOLGATE_KEY", "x"),
                    before(client, "call_1", "ls"),
                    client);
            assertThat(answer.denies(client, "curl is not installed"))
                    .as(answer.toString())
                    .isTrue();
        }
    }

    @Test
    void curl_settings_and_proxies_are_ignored() throws Exception {
        Files.writeString(folder.resolve(".curlrc"), "output = stolen\n");
        String agent = agent("settled", "codex", "{\"allowed\": true, \"condition\": \"false\"}");
        Map<String, String> environment = new HashMap<>(gate(agent));
        environment.putAll(Map.of(
                "HOME", folder.toString(), "http_proxy", "http://127.0.0.1:1", "ALL_PROXY", "http://127.0.0.1:1"));

        Answer answer = hook(environment, before("codex", "call_1", "ls"), "codex");

        assertThat(answer.denies("codex", "Toolgate denies this call"))
                .as(answer.toString())
                .isTrue();
        assertThat(folder.resolve("stolen")).doesNotExist();
    }

    @Test
    void a_call_that_cursor_denied_itself_is_not_reported_as_unpermitted() throws Exception {
        String agent = agent("undecided", "cursor", "{\"allowed\": true}");
        String denied = event("cursor", "postToolUseFailure", "call_1", "ls")
                .put("failure_type", "permission_denied")
                .put("error_message", "Denied by the user")
                .toString();

        assertThat(hook(gate(agent), denied, "cursor", "--after").out()).isEqualTo("{}\n");
        assertThat(hook(gate(agent), before("cursor", "call_1", "ls"), "cursor").permits("cursor"))
                .isTrue();
        assertThat(hook(gate(agent), denied, "cursor", "--after").out()).isEqualTo("{}\n");

        assertThat(records(agent)).containsExactly("FAILED cursor ls");
    }

    private static void ok(Reply reply) {
        assertThat(reply.status()).as(reply.toString()).isBetween(200, 299);
    }
}
