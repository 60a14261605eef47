package dev.toolgate.server.mcpclient;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Real MCP clients from npm and PyPI, at pinned versions, each in a folder of its own in the build folder of the whole
 * project, since several modules use them. Each is fetched once, and no install script of npm runs.
 */
public final class InstalledClients {
    private static final Path FOLDER =
            Path.of("../target/mcp-clients").toAbsolutePath().normalize();
    private static final int INSTALL_MINUTES = 8;

    private InstalledClients() {}

    /** The folder of a client on Node. */
    public static Path npm(String name) throws IOException {
        return installed(
                name,
                "package.json",
                List.of(List.of("npm", "install", "--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund")));
    }

    /** The Node to run scripts with: an installed one, or that of the system if there is none for this platform. */
    public static String node() throws IOException {
        return node("node");
    }

    /** The oldest supported Node, or that of the system. */
    public static String oldestNode() throws IOException {
        return node("node-20");
    }

    private static String node(String name) throws IOException {
        Path modules = Files.createDirectories(npm(name).resolve("node_modules"));
        try (Stream<Path> packages = Files.list(modules)) {
            return packages.map(each -> each.resolve("bin/node"))
                    .filter(InstalledClients::runs)
                    .map(Path::toString)
                    .findFirst()
                    .orElse("node");
        }
    }

    /** The folder of a client on Python; its interpreter is {@code venv/bin/python} in it. */
    public static Path python(String name) throws IOException {
        return installed(
                name,
                "requirements.txt",
                List.of(
                        List.of("python3", "-m", "venv", "--clear", "venv"),
                        List.of(
                                "venv/bin/python",
                                "-m",
                                "pip",
                                "install",
                                "--quiet",
                                "--disable-pip-version-check",
                                "--requirement",
                                "requirements.txt")));
    }

    /** A file of the tests, such as a script that drives a client, put beside what is installed. */
    public static String script(Path client, String file) throws IOException {
        Path script = client.resolve(file);
        byte[] wanted = resource(client.getFileName() + "/" + file);
        if (!Files.exists(script) || !Arrays.equals(Files.readAllBytes(script), wanted)) {
            Path fresh = Files.createTempFile(client, "script", "");
            Files.write(fresh, wanted);
            Files.move(fresh, script, StandardCopyOption.ATOMIC_MOVE);
        }
        return script.toString();
    }

    private static Path installed(String name, String list, List<List<String>> commands) throws IOException {
        Path folder = FOLDER.resolve(name);
        Files.createDirectories(folder);
        byte[] wanted = resource(name + "/" + list);
        Path done = folder.resolve(list + ".installed");
        // Several modules and processes may run this concurrently.
        try (FileChannel turn = FileChannel.open(FOLDER.resolve(name + ".turn"), CREATE, WRITE);
                FileLock _ = turn.lock()) {
            if (!Files.exists(done) || !Arrays.equals(Files.readAllBytes(done), wanted)) {
                Files.write(folder.resolve(list), wanted);
                for (List<String> command : commands) {
                    run(folder, command);
                }
                Files.write(done, wanted);
            }
        }
        return folder;
    }

    private static byte[] resource(String name) throws IOException {
        try (InputStream in = InstalledClients.class.getResourceAsStream("/mcp-clients/" + name)) {
            return Objects.requireNonNull(in, name).readAllBytes();
        }
    }

    private static void run(Path folder, List<String> command) throws IOException {
        Path log = folder.resolve("install.log");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            process.getOutputStream().close();
            if (!process.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
                throw new IOException(command.getFirst() + " could not install the MCP client " + folder.getFileName()
                        + ": " + Files.readString(log));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException(stopped);
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static boolean runs(Path node) {
        if (!Files.isExecutable(node)) {
            return false;
        }
        try {
            return new ProcessBuilder(node.toString(), "--version")
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
