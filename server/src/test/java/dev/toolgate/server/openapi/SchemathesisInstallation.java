package dev.toolgate.server.openapi;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Schemathesis from PyPI, in a virtual environment in the build folder; fetched once. */
final class SchemathesisInstallation {
    private static final Path WANTED =
            Path.of("src/test/python/requirements.txt").toAbsolutePath();
    private static final Path FOLDER = Path.of("target/schemathesis").toAbsolutePath();
    private static final Path DONE = FOLDER.resolve("installed.txt");

    private SchemathesisInstallation() {}

    /** The path of the program. */
    static Path program() throws IOException {
        Files.createDirectories(FOLDER);
        // Test classes may run in several processes at a time.
        try (FileChannel turn = FileChannel.open(FOLDER.resolve("turn"), CREATE, WRITE);
                FileLock _ = turn.lock()) {
            if (!Files.exists(DONE) || Files.mismatch(WANTED, DONE) != -1) {
                run(List.of("python3", "-m", "venv", "--clear", environment().toString()));
                run(List.of(
                        environment().resolve("bin/python").toString(),
                        "-m",
                        "pip",
                        "install",
                        "--quiet",
                        "--disable-pip-version-check",
                        "--requirement",
                        WANTED.toString()));
                Files.copy(WANTED, DONE, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
            }
        }
        return environment().resolve("bin/schemathesis");
    }

    private static Path environment() {
        return FOLDER.resolve("venv");
    }

    private static void run(List<String> command) throws IOException {
        Path log = FOLDER.resolve("install.log");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (!process.waitFor(5, TimeUnit.MINUTES) || process.exitValue() != 0) {
                throw new IOException(
                        "Schemathesis could not be installed by " + command + ": " + Files.readString(log));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException(stopped);
        } finally {
            process.destroyForcibly();
        }
    }
}
