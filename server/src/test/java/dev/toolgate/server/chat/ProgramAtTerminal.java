package dev.toolgate.server.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.server.Main;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code toolgate} as a process of its own at a terminal of its own, with somebody who types. */
final class ProgramAtTerminal implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;
    private final StringBuilder seen = new StringBuilder();

    private ProgramAtTerminal(Process process) {
        this.process = process;
        Thread.ofVirtual().start(this::read);
    }

    /** At a terminal, which {@code script} makes; Ctrl-C means something even if the tests run in the background. */
    static ProgramAtTerminal start(Map<String, String> environment, String... words) throws IOException {
        String line = command(words).stream()
                .map(word -> "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
        return new ProgramAtTerminal(builder(
                        environment,
                        List.of("env", "--default-signal=INT", "script", "-qec", "exec " + line, "/dev/null"))
                .start());
    }

    /** Without a terminal. */
    static ProgramAtTerminal startWithout(Map<String, String> environment, String... words) throws IOException {
        return new ProgramAtTerminal(builder(environment, command(words)).start());
    }

    private static List<String> command(String... words) {
        return Stream.concat(
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:TieredStopAtLevel=1",
                                Main.class.getName()),
                        Stream.of(words))
                .toList();
    }

    private static ProcessBuilder builder(Map<String, String> environment, List<String> command) {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("TOOLGATE"));
        builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
        builder.environment().put("TERM", "xterm");
        builder.environment().put("SHELL", "/bin/sh");
        builder.environment().putAll(environment);
        return builder;
    }

    private void read() {
        try (Reader output = process.inputReader(StandardCharsets.UTF_8)) {
            for (int c = output.read(); c >= 0; c = output.read()) {
                synchronized (seen) {
                    seen.append((char) c);
                }
            }
        } catch (IOException gone) {
            // nothing more to see
        }
    }

    /** Everything that was seen so far, with plain ends of lines. */
    String seen() {
        synchronized (seen) {
            return seen.toString().replace("\r\n", "\n");
        }
    }

    ProgramAtTerminal awaitSeen(String text) {
        await("for " + text).atMost(PATIENCE).until(this::seen, all -> all.contains(text));
        return this;
    }

    ProgramAtTerminal type(String keys) throws IOException {
        OutputStream keyboard = process.getOutputStream();
        keyboard.write(keys.getBytes(StandardCharsets.UTF_8));
        keyboard.flush();
        return this;
    }

    ProgramAtTerminal pressCtrlC() throws IOException {
        return type("\u0003");
    }

    ProgramAtTerminal pressCtrlD() throws IOException {
        return type("\u0004");
    }

    /** Nothing more comes in. */
    void endInput() throws IOException {
        process.getOutputStream().close();
    }

    int exitCode() throws InterruptedException {
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as("ends; seen:\n" + seen())
                .isTrue();
        return process.exitValue();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
