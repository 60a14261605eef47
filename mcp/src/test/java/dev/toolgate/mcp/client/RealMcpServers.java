package dev.toolgate.mcp.client;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Real servers from npm and PyPI, at pinned versions, in the build folder of the module that runs them. Each is fetched
 * once, and no install script of npm runs.
 */
public final class RealMcpServers {
    private static final Path FOLDER = Path.of("target/mcp-servers").toAbsolutePath();

    private RealMcpServers() {}

    /** A server on Node: {@code everything}, {@code filesystem} or {@code memory}. */
    public static List<String> node(String name, String... arguments) throws IOException {
        installOnce("package.json", () -> {
            Files.write(FOLDER.resolve("package.json"), wanted("package.json"));
            run("npm", "install", "--ignore-scripts", "--no-package-lock", "--no-audit", "--no-fund");
        });
        Path modules = FOLDER.resolve("node_modules");
        return command(
                List.of(
                        runtime(modules),
                        modules.resolve("@modelcontextprotocol/server-" + name + "/dist/index.js")
                                .toString()),
                arguments);
    }

    /** A server on Python of the modern era: {@code git} or {@code time}. */
    public static List<String> python(String name, String... arguments) throws IOException {
        return command(List.of(program("modern", name)), arguments);
    }

    /** A server on Python that needs the libraries of the legacy era: {@code sqlite}. */
    public static List<String> legacyPython(String name, String... arguments) throws IOException {
        return command(List.of(program("legacy", name)), arguments);
    }

    private static String program(String environment, String name) throws IOException {
        Path venv = FOLDER.resolve(environment);
        installOnce(environment + ".txt", () -> {
            Path requirements = FOLDER.resolve(environment + ".requirements");
            Files.write(requirements, wanted(environment + ".txt"));
            run(python(), "-m", "venv", "--clear", venv.toString());
            run(
                    venv.resolve("bin/python").toString(),
                    "-m",
                    "pip",
                    "install",
                    "--quiet",
                    "--disable-pip-version-check",
                    "--requirement",
                    requirements.toString());
        });
        return venv.resolve("bin/mcp-server-" + name).toString();
    }

    // Prefers the system's Python: the sandbox cannot read one in a home folder.
    private static String python() {
        Path system = Path.of("/usr/bin/python3");
        return succeeds(system, "-c", "import venv, ensurepip") ? system.toString() : "python3";
    }

    private static List<String> command(List<String> program, String... arguments) {
        List<String> command = new ArrayList<>(program);
        command.addAll(Arrays.asList(arguments));
        return command;
    }

    @FunctionalInterface
    private interface Installation {
        void install() throws IOException;
    }

    private static void installOnce(String list, Installation installation) throws IOException {
        Files.createDirectories(FOLDER);
        Path done = FOLDER.resolve(list + ".installed");
        // Test classes may run in several processes at once; only one may install.
        try (FileChannel lockFile = FileChannel.open(FOLDER.resolve("turn"), CREATE, WRITE);
                FileLock _ = lockFile.lock()) {
            if (!Files.exists(done) || !Arrays.equals(Files.readAllBytes(done), wanted(list))) {
                installation.install();
                Files.write(done, wanted(list));
            }
        }
    }

    private static byte[] wanted(String list) throws IOException {
        try (InputStream in = RealMcpServers.class.getResourceAsStream("/mcp-servers/" + list)) {
            return Objects.requireNonNull(in, list).readAllBytes();
        }
    }

    private static void run(String... command) throws IOException {
        Path log = FOLDER.resolve("install.log");
        Process process = new ProcessBuilder(command)
                .directory(FOLDER.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            process.getOutputStream().close();
            if (!process.waitFor(5, TimeUnit.MINUTES) || process.exitValue() != 0) {
                throw new IOException(command[0] + " could not install the servers: " + Files.readString(log));
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IOException(stopped);
        } finally {
            process.destroyForcibly();
        }
    }

    // Prefers the installed Node: the system's may be too old. The installed one runs only on common Linux machines.
    private static String runtime(Path modules) throws IOException {
        try (Stream<Path> packages = Files.list(modules)) {
            return packages.map(each -> each.resolve("bin/node"))
                    .filter(RealMcpServers::runs)
                    .map(Path::toString)
                    .findFirst()
                    .orElse("node");
        }
    }

    private static boolean runs(Path node) {
        return succeeds(node, "--version");
    }

    private static boolean succeeds(Path program, String... arguments) {
        if (!Files.isExecutable(program)) {
            return false;
        }
        try {
            return new ProcessBuilder(command(List.of(program.toString()), arguments))
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
