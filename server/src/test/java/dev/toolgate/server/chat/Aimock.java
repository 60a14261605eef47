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
 * A model server that others have written, as a process of its own on loopback. It answers by {@code aimock/chat.json},
 * turns away whoever shows none of its keys, and keeps a journal of what it was asked.
 */
final class Aimock implements AutoCloseable {
    /** The key that the server under test is configured with. */
    static final String CONFIGURED_KEY = "configured-key-8f31c2";

    /** The key of a person, who sends it along. */
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

    /** Starts it and waits until it answers. Being strict, it finds fault with what a real provider would refuse. */
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

    /** What it was asked since it last forgot, in order. */
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

    /** Answers the next request with 429, asking for a second of patience. */
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

    /** A request as aimock understood it, in the words of Chat Completions whatever the provider. */
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

        /** The calls that the model is reminded of having made. */
        List<JsonNode> calls() {
            return messages("assistant").stream()
                    .flatMap(message -> message.path("tool_calls").valueStream())
                    .toList();
        }

        /** What came of them. */
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
