package dev.toolgate.cli.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.cli.Main;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@code toolgate} as a separate process at its own terminal, which the test types at. */
public final class ProgramAtTerminal implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(60);

    private final Process process;
    private final Thread reader;
    private final StringBuilder seen = new StringBuilder();

    private ProgramAtTerminal(Process process, Reader output) {
        this.process = process;
        reader = Thread.ofVirtual().start(() -> read(output));
    }

    private static ProgramAtTerminal of(ProcessBuilder builder) throws IOException {
        Process process = builder.start();
        return new ProgramAtTerminal(process, process.inputReader(StandardCharsets.UTF_8));
    }

    /** At a terminal created by {@code script}; Ctrl-C works even if the tests run in the background. */
    public static ProgramAtTerminal start(Map<String, String> environment, String... words) throws IOException {
        String line = command(words).stream()
                .map(word -> "'" + word.replace("'", "'\\''") + "'")
                .collect(Collectors.joining(" "));
        return of(builder(
                environment, List.of("env", "--default-signal=INT", "script", "-qec", "exec " + line, "/dev/null")));
    }

    /** Without a terminal. */
    public static ProgramAtTerminal startWithout(Map<String, String> environment, String... words) throws IOException {
        return of(builder(environment, command(words)));
    }

    /** Without a terminal; the standard output goes to the file, and only the standard error is seen. */
    public static ProgramAtTerminal startInto(File output, Map<String, String> environment, String... words)
            throws IOException {
        Process process = builder(environment, command(words))
                .redirectErrorStream(false)
                .redirectOutput(output)
                .start();
        return new ProgramAtTerminal(process, process.errorReader(StandardCharsets.UTF_8));
    }

    private static List<String> command(String... words) {
        return Stream.concat(
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                // as in the manifest of the program
                                "--enable-native-access=ALL-UNNAMED",
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

    private void read(Reader output) {
        try (output) {
            for (int c = output.read(); c >= 0; c = output.read()) {
                synchronized (seen) {
                    seen.append((char) c);
                }
            }
        } catch (IOException gone) {
            // the process has ended
        }
    }

    /** All output so far, with normalised line ends. */
    public String seen() {
        synchronized (seen) {
            return seen.toString().replace("\r\n", "\n");
        }
    }

    ProgramAtTerminal awaitSeen(String text) {
        await("for " + text).atMost(TIMEOUT).until(this::seen, all -> all.contains(text));
        return this;
    }

    /** Waits until a text was seen a number of times. */
    ProgramAtTerminal awaitSeen(String text, int times) {
        await("for " + text)
                .atMost(TIMEOUT)
                .until(this::seen, all -> all.split(Pattern.quote(text), -1).length > times);
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

    /** Closes the input. */
    void endInput() throws IOException {
        process.getOutputStream().close();
    }

    /** Waits until the process has ended and all its output was read. */
    public int exitCode() throws InterruptedException {
        assertThat(process.waitFor(TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                .as("ends; seen:\n" + seen())
                .isTrue();
        assertThat(reader.join(TIMEOUT)).as("output is complete").isTrue();
        return process.exitValue();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
