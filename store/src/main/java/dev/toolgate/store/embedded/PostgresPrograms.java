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

/** Starts programs that end by themselves, with a time limit and without this process's environment. */
final class PostgresPrograms {
    /** Everything else stays here: keys and addresses in our environment are not the database's business. */
    private static final Set<String> ENVIRONMENT = Set.of("PATH", "SystemRoot", "TEMP", "TMP", "TMPDIR");

    private static final Logger LOG = LoggerFactory.getLogger(PostgresPrograms.class);

    /** How a program ended and what it said on both outputs. */
    record Ending(int code, String output) {}

    private PostgresPrograms() {}

    static boolean onWindows() {
        return System.getProperty("os.name", "").startsWith("Windows");
    }

    /** Where a program of the operating system is. */
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

    /** A builder for a program of the database, in the given folder. */
    static ProcessBuilder prepare(Path folder, List<String> command) {
        ProcessBuilder builder =
                new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().keySet().retainAll(ENVIRONMENT);
        builder.environment().put("LC_ALL", "C");
        builder.environment().put("TZ", "UTC");
        return builder;
    }

    /** Runs a program to its end; one that takes longer than the limit is ended. */
    static Ending run(Path folder, Duration limit, List<String> command, String input) throws IOException {
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
                throw new IOException(command.getLast() + " did not end within " + limit.toSeconds() + " s; " + said);
            }
            return new Ending(process.exitValue(), said);
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
