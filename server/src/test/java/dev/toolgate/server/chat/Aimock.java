package dev.toolgate.server.chat;

import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * A third-party model server as a separate process on loopback. It answers from {@code aimock/chat.json}, refuses
 * unknown keys, and keeps a journal of requests.
 */
final class Aimock implements AutoCloseable {
    /** The key that the server under test is configured with. */
    static final String CONFIGURED_KEY = "configured-key-8f31c2";

    /** The key that a person sends. */
    static final String OWN_KEY = "own-key-of-a-person-77d0e1";

    private static final Path ANSWERS = Path.of("src/test/resources/aimock/chat.json");
    private static final Pattern READY = Pattern.compile("listening on (http://\\S+)");

    private final Process process;
    private final String url;
    private final Client control;

    private Aimock(Process process, String url) {
        this.process = process;
        this.url = url;
        this.control = new Client(url).with("Authorization", "Bearer " + CONFIGURED_KEY);
    }

    /** Starts it and waits until it answers; strict mode refuses what a real provider would refuse. */
    static Aimock start() throws IOException {
        List<String> command = AimockInstallation.command();
        command.addAll(List.of("--port", "0", "--strict", "--validate-on-load", "--fixtures", ANSWERS.toString()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("AIMOCK_API_KEYS", CONFIGURED_KEY + "," + OWN_KEY);
        Process process = builder.start();
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        StringBuilder said = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            Matcher ready = READY.matcher(line);
            if (ready.find()) {
                Thread.ofVirtual().start(() -> lines.lines().forEach(_ -> {}));
                return new Aimock(process, ready.group(1));
            }
            said.append(line).append('\n');
        }
        throw new IOException("aimock did not start: " + said);
    }

    String url() {
        return url;
    }

    /** The requests since the last reset, in order. */
    List<Asked> journal() {
        return control.get("/__aimock/journal")
                .json()
                .valueStream()
                .map(Asked::new)
                .toList();
    }

    void forget() {
        expectOk(control.post("/__aimock/reset/journal", "{}"));
    }

    /** Answers the next request with 429 and a retry-after of a second. */
    void isBusyOnce() {
        expectOk(control.post(
                "/__aimock/error",
                "{\"status\": 429, \"body\": {\"message\": \"Busy\", \"type\": \"rate_limit_error\"}}"));
    }

    private static void expectOk(Reply reply) {
        if (reply.status() != 200) {
            throw new IllegalStateException("aimock answered " + reply);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    /** A request as aimock logged it, in Chat Completions format for every provider. */
    record Asked(JsonNode entry) {
        String path() {
            return entry.path("path").asString();
        }

        int status() {
            return entry.at("/response/status").asInt();
        }

        boolean cut() {
            return entry.at("/response/interrupted").asBoolean(false);
        }

        /** The tools that were offered. */
        List<String> tools() {
            return entry.at("/body/tools")
                    .valueStream()
                    .map(tool -> tool.at("/function/name").asString())
                    .toList();
        }

        /** The earlier calls in the request's history. */
        List<JsonNode> calls() {
            return messages("assistant").stream()
                    .flatMap(message -> message.path("tool_calls").valueStream())
                    .toList();
        }

        /** The results of the calls. */
        List<JsonNode> results() {
            return messages("tool");
        }

        private List<JsonNode> messages(String role) {
            return entry.at("/body/messages")
                    .valueStream()
                    .filter(message -> message.path("role").asString().equals(role))
                    .toList();
        }
    }
}
