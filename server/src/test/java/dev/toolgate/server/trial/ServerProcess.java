package dev.toolgate.server.trial;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A server as a separate process, which a test may kill. */
public final class ServerProcess implements AutoCloseable {
    public static final String LOG = "server.log";

    /** The variable with additional JVM options. */
    static final String OPTIONS = "TRIAL_JAVA_OPTIONS";

    /** The variable with a wrapper command for the JVM. */
    static final String STARTED_BY = "TRIAL_STARTED_BY";

    private final Process process;
    private final String url;

    private ServerProcess(Process process, String url) {
        this.process = process;
        this.url = url;
    }

    /** Starts a server with the trial tools and waits until it answers. */
    static ServerProcess withTrialTools(Map<String, String> environment, Path effects) throws IOException {
        return start(environment, TrialMain.class, effects.toString());
    }

    /** Starts a program and waits for its ready line. */
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
        throw new IllegalStateException("The server did not start: " + said + Files.readString(log(environment)));
    }

    /** Starts a program; its standard error goes to a file in its home. */
    public static Process begin(Map<String, String> environment, Class<?> program, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(
                Arrays.stream(environment.getOrDefault(STARTED_BY, "").split(" "))
                        .filter(word -> !word.isEmpty())
                        .toList());
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-Dlogback.configurationFile=logback.xml", // the server's logging configuration, not the tests'
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-cp",
                System.getProperty("java.class.path")));
        command.addAll(List.of(environment.getOrDefault(OPTIONS, "-Dtrial").split(" ", -1)));
        command.add(program.getName());
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        builder.redirectError(ProcessBuilder.Redirect.appendTo(log(environment).toFile()));
        return builder.start();
    }

    private static Path log(Map<String, String> environment) {
        return Path.of(environment.getOrDefault("TOOLGATE_HOME", "."), LOG);
    }

    public Client client() {
        return new Client(url, TrialDatabase.ADMIN_KEY);
    }

    public ProcessHandle handle() {
        return process.toHandle();
    }

    /** Kills the process. */
    public void kill() throws InterruptedException {
        process.destroyForcibly();
        process.waitFor();
    }

    /** Stops the process and returns its exit code. */
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
