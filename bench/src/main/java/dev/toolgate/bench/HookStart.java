package dev.toolgate.bench;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * The time that a coding agent waits for {@code toolgate hook} before each call, with a gate that answers at once. Target:
 * at most twice a bare curl, and under 50 ms on a quiet machine.
 */
final class HookStart {
    private static final int WARM_UP = 10;
    private static final int ROUNDS = 60;
    private static final String CURL = "curl, the same request";
    private static final String SCRIPT = "scripts/hook codex";
    private static final String LAUNCHER = "toolgate hook codex";
    private static final String EVENT = """
            {"session_id": "s", "turn_id": "1", "hook_event_name": "PreToolUse", "tool_name": "Bash",
             "tool_input": {"command": "ls"}, "tool_use_id": "call_1"}""";
    private static final byte[] ALLOWED =
            "{\"hookSpecificOutput\":{\"hookEventName\":\"PreToolUse\"}}".getBytes(StandardCharsets.UTF_8);

    private HookStart() {}

    /**
     * @param args the folder of the project
     */
    public static void main(String[] args) throws Exception {
        Path project = Path.of(args[0]);
        HttpServer gate = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        gate.createContext("/", exchange -> {
            try (exchange) {
                exchange.getRequestBody().readAllBytes();
                exchange.sendResponseHeaders(200, ALLOWED.length);
                exchange.getResponseBody().write(ALLOWED);
            }
        });
        gate.start();
        Path settings = Files.createTempFile("bench-hook", ".curl");
        try {
            Files.writeString(
                    settings, "url = \"http://127.0.0.1:" + gate.getAddress().getPort() + "/hooks/codex\"\n");
            String file = settings.toString();
            Comparison comparison = new Comparison()
                    .with(CURL, () -> run(List.of("curl", "-q", "-s", "--config", file, "--data-binary", "@-")))
                    .with(
                            SCRIPT,
                            () -> run(List.of(project.resolve("scripts/hook").toString(), "codex", "--settings", file)))
                    .with(
                            LAUNCHER,
                            () -> run(List.of(
                                    project.resolve("toolgate").toString(), "hook", "codex", "--settings", file)))
                    .measure(WARM_UP, ROUNDS, 1);
            comparison.print("From an event to its answer, median of " + ROUNDS);
            System.out.printf(Locale.ROOT, "ratio hook / curl: %.2f (bar: 2)%n", comparison.ratio(SCRIPT, CURL));
        } finally {
            gate.stop(0);
            Files.delete(settings);
        }
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var input = process.getOutputStream()) {
            input.write(EVENT.getBytes(StandardCharsets.UTF_8));
        }
        if (process.waitFor() != 0) {
            throw new IllegalStateException(command + " failed");
        }
    }
}
