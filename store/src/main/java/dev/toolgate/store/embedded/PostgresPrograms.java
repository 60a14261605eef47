package dev.toolgate.store.embedded;

import java.io.File;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs short programs, with a timeout and without the environment of this process. */
final class PostgresPrograms {
    /** The only inherited variables, because the environment of this process may contain secrets. */
    private static final Set<String> ENVIRONMENT = Set.of("PATH", "SystemRoot", "TEMP", "TMP", "TMPDIR");

    private static final Logger LOG = LoggerFactory.getLogger(PostgresPrograms.class);

    /** The exit code and the combined output of a program. */
    record Result(int code, String output) {}

    private PostgresPrograms() {}

    static boolean onWindows() {
        return System.getProperty("os.name", "").startsWith("Windows");
    }

    /** Finds a program of the operating system. */
    static Optional<String> find(String name) {
        String path = System.getenv().getOrDefault("PATH", "") + File.pathSeparator + "/usr/bin" + File.pathSeparator
                + "/bin";
        return Stream.of(path.split(File.pathSeparator))
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst();
    }

    /** A process builder for a PostgreSQL program, in the given folder. */
    static ProcessBuilder prepare(Path folder, List<String> command) {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().keySet().retainAll(ENVIRONMENT);
        builder.environment().put("LC_ALL", "C");
        builder.environment().put("TZ", "UTC");
        return builder;
    }

    /** Runs a program until it exits; kills it if it exceeds the limit. */
    static Result run(Path folder, Duration limit, List<String> command, String input) throws IOException {
        Path output = Files.createTempFile("toolgate-", ".out");
        try {
            Process process =
                    prepare(folder, command).redirectOutput(output.toFile()).start();
            try (var standardInput = process.getOutputStream()) {
                standardInput.write(input.getBytes(StandardCharsets.UTF_8));
            } catch (IOException notRead) {
                LOG.debug("{} ended before it read its input", command.getFirst(), notRead);
            }
            boolean ended = await(process, limit);
            String said = Files.readString(output).strip();
            if (!ended) {
                throw new IOException(command.getLast() + " timed out after " + limit.toSeconds() + " s; " + said);
            }
            return new Result(process.exitValue(), said);
        } finally {
            Files.delete(output);
        }
    }

    private static boolean await(Process process, Duration limit) throws IOException {
        try {
            if (process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                return true;
            }
            process.destroyForcibly();
            return false;
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("Interrupted while the database was being set up or stopped.");
        }
    }
}
