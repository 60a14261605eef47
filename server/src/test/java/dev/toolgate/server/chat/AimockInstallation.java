package dev.toolgate.server.chat;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The npm packages for the chat tests, at the versions of the lock file, in the build folder. They are fetched once;
 * none of their scripts runs.
 */
final class AimockInstallation {
    private static final Path WANTED = Path.of("src/test/node").toAbsolutePath();
    private static final Path FOLDER = Path.of("target/aimock").toAbsolutePath();
    private static final Path DONE = FOLDER.resolve("installed.json");
    private static final String LOCK = "package-lock.json";

    private AimockInstallation() {}

    /** The beginning of a command line that starts aimock. */
    static List<String> command() throws IOException {
        Files.createDirectories(FOLDER);
        // Test classes may run in several processes at a time.
        try (FileChannel turn = FileChannel.open(FOLDER.resolve("turn"), CREATE, WRITE);
                FileLock _ = turn.lock()) {
            if (!Files.exists(DONE) || Files.mismatch(WANTED.resolve(LOCK), DONE) != -1) {
                install();
            }
        }
        return new ArrayList<>(List.of(
                node(),
                FOLDER.resolve("node_modules/@copilotkit/aimock/dist/cli.js").toString()));
    }

    private static void install() throws IOException {
        for (String file : List.of("package.json", LOCK, ".npmrc")) {
            Files.write(FOLDER.resolve(file), Files.readAllBytes(WANTED.resolve(file)));
        }
        Path log = FOLDER.resolve("npm.log");
        Process npm = new ProcessBuilder("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
                .directory(FOLDER.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (!npm.waitFor(5, TimeUnit.MINUTES) || npm.exitValue() != 0) {
                throw new IOException("npm could not install aimock: " + Files.readString(log));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException(stopped);
        } finally {
            npm.destroyForcibly();
        }
        Files.write(DONE, Files.readAllBytes(WANTED.resolve(LOCK)));
    }

    // The installed node first, because the system's may be too old. It runs on common Linux systems only.
    private static String node() throws IOException {
        try (Stream<Path> packages = Files.list(FOLDER.resolve("node_modules"))) {
            return packages.map(each -> each.resolve("bin/node").toString())
                    .filter(AimockInstallation::runs)
                    .findFirst()
                    .orElse("node");
        }
    }

    private static boolean runs(String node) {
        try {
            return new ProcessBuilder(node, "--version")
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException notThere) {
            return false;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
