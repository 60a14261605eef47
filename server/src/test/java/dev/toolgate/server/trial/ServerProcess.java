package dev.toolgate.server.trial;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A server as a process of its own, which a test may kill. */
public final class ServerProcess implements AutoCloseable {
    public static final String LOG = "server.log";

    /** A variable with more options for its Java machine. */
    static final String OPTIONS = "TRIAL_JAVA_OPTIONS";

    /** A variable with a program, and its arguments, that starts the Java machine. */
    static final String STARTED_BY = "TRIAL_STARTED_BY";

    private final Process process;
    private final String url;

    private ServerProcess(Process process, String url) {
        this.process = process;
        this.url = url;
    }

    /** Starts a server with the tools of the trials, and waits until it answers. */
    static ServerProcess withTrialTools(Map<String, String> environment, Path effects) throws IOException {
        return start(environment, TrialMain.class, effects.toString());
    }

    /** Starts a program and waits for the line that says that it is ready. */
    public static ServerProcess start(Map<String, String> environment, Class<?> program, String... arguments)
            throws IOException {
        Process process = begin(environment, program, arguments);
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        StringBuilder said = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            if (line.startsWith(TrialMain.READY)) {
                Thread.ofVirtual().start(() -> lines.lines().forEach(_ -> {}));
                return new ServerProcess(
                        process, line.substring(TrialMain.READY.length()).replaceFirst(" .*", ""));
            }
            said.append(line).append('\n');
        }
        throw new IllegalStateException("The server did not start: " + said);
    }

    /** Starts a program; what it says to people who look for mistakes goes into a file in its home. */
    public static Process begin(Map<String, String> environment, Class<?> program, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(
                Arrays.stream(environment.getOrDefault(STARTED_BY, "").split(" "))
                        .filter(word -> !word.isEmpty())
                        .toList());
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-Dlogback.configurationFile=logback.xml", // the server's own, not that of tests
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(List.of(environment.getOrDefault(OPTIONS, "-Dtrial").split(" ", -1)));
        command.add(program.getName());
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        builder.redirectError(ProcessBuilder.Redirect.appendTo(
                Path.of(environment.getOrDefault("TOOLGATE_HOME", "."), LOG).toFile()));
        return builder.start();
    }

    public Client client() {
        return new Client(url, Trial.ADMIN_KEY);
    }

    public ProcessHandle handle() {
        return process.toHandle();
    }

    /** The end that nobody can prepare for. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /** Asks it to stop, and gives its exit code. */
    public int stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            throw new IllegalStateException("The server does not stop.");
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
