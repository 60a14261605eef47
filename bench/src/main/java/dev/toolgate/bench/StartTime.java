package dev.toolgate.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * Measures the start of the packaged program. Targets: the server with an existing home is ready within
 * 2 s; {@code tools} ends within 0.6 s. The arguments are the jar and the JVM flags of the server; the
 * AOT caches are created first, as in the build.
 */
final class StartTime {
    private static final int ROUNDS = 5;
    private static final List<String> COMMAND =
            List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Djdk.reflect.useNativeAccessorOnly=true");
    private static final List<String> SERVE = List.of("serve");
    private static final List<String> TOOLS = List.of("tools");

    private final String jar;
    private final List<String> server;
    private final Path home;

    /**
     * One start.
     *
     * @param elapsed since the start of the process
     * @param cpuTime the CPU time of the process and its children until then
     */
    private record Start(Duration elapsed, Duration cpuTime) {}

    private StartTime(String jar, List<String> server, Path home) {
        this.jar = jar;
        this.server = server;
        this.home = home;
    }

    public static void main(String[] args) throws Exception {
        Path home = Files.createTempDirectory("bench-start-");
        // Accessible to the database account, if run as root.
        Files.setPosixFilePermissions(home, PosixFilePermissions.fromString("rwxr-xr-x"));
        try {
            new StartTime(args[0], List.of(args[1].split(" ")), home).measure();
        } finally {
            try (Stream<Path> files = Files.walk(home)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private void measure() throws Exception {
        String serverCache = home.resolve("server.aot").toString();
        String commandCache = home.resolve("command.aot").toString();
        serve(with(server, "-XX:AOTCacheOutput=" + serverCache)); // also creates the database
        tools(with(COMMAND, "-XX:AOTCacheOutput=" + commandCache));
        List<Start> servers = new ArrayList<>();
        List<Start> plainServers = new ArrayList<>();
        List<Start> commands = new ArrayList<>();
        List<Start> plainCommands = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            servers.add(serve(with(server, "-XX:AOTCache=" + serverCache)));
            commands.add(tools(with(COMMAND, "-XX:AOTCache=" + commandCache)));
            plainServers.add(serve(server));
            plainCommands.add(tools(COMMAND));
        }
        System.out.printf(
                Locale.ROOT,
                "%nStarting, medians of %d (load average %.1f on %d processors)%n  %-44s %10s %12s%n",
                ROUNDS,
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                Runtime.getRuntime().availableProcessors(),
                "",
                "elapsed",
                "processor");
        print("serve to its ready line (bar: under 1.2 s on a quiet machine)", servers);
        print("the same without a cache of classes", plainServers);
        print("tools (bar: under 0.6 s)", commands);
        print("the same without a cache of classes", plainCommands);
    }

    private static List<String> with(List<String> options, String cache) {
        return Stream.concat(options.stream(), Stream.of(cache)).toList();
    }

    /** Measures until the server prints that it is ready, then stops it. */
    private Start serve(List<String> options) throws Exception {
        long start = System.nanoTime();
        Process process = start(options, SERVE);
        try (BufferedReader out = process.inputReader()) {
            for (String line = out.readLine(); !String.valueOf(line).startsWith("Toolgate ready"); ) {
                if (line == null) {
                    throw new IOException("The server did not start.");
                }
                line = out.readLine();
            }
            Start ready = new Start(Duration.ofNanos(System.nanoTime() - start), cpuTime(process.toHandle()));
            process.toHandle().destroy(); // Process.destroy would also close its output
            out.lines().forEach(_ -> {});
            process.waitFor();
            return ready;
        }
    }

    private Start tools(List<String> options) throws Exception {
        Duration before = cpuTimeOfEndedChildren();
        long start = System.nanoTime();
        Process process = start(options, TOOLS);
        try (BufferedReader out = process.inputReader()) {
            out.lines().forEach(_ -> {});
        }
        if (process.waitFor() != 0) {
            throw new IOException("'tools' failed.");
        }
        return new Start(
                Duration.ofNanos(System.nanoTime() - start),
                cpuTimeOfEndedChildren().minus(before));
    }

    private Process start(List<String> options, List<String> words) throws IOException {
        List<String> line = new ArrayList<>();
        line.add(ProcessHandle.current().info().command().orElseThrow());
        line.addAll(options);
        line.addAll(List.of("-jar", jar));
        line.addAll(words);
        ProcessBuilder builder = new ProcessBuilder(line).redirectError(ProcessBuilder.Redirect.DISCARD);
        builder.environment().put("TOOLGATE_HOME", home.resolve("data").toString());
        builder.environment().put("TOOLGATE_PORTS", "0,0");
        builder.environment().put("LC_ALL", "C.UTF-8");
        builder.environment().remove("DATABASE_URL");
        return builder.start();
    }

    private static Duration cpuTime(ProcessHandle process) {
        return Stream.concat(Stream.of(process), process.descendants())
                .map(one -> one.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }

    /** The CPU time of ended child processes, as counted by Linux. */
    private static Duration cpuTimeOfEndedChildren() throws IOException {
        String[] afterName = Files.readString(Path.of("/proc/self/stat"))
                .replaceFirst(".*\\) ", "")
                .split(" ");
        return Duration.ofMillis(10 * (Long.parseLong(afterName[13]) + Long.parseLong(afterName[14])));
    }

    private static void print(String what, List<Start> starts) {
        System.out.printf(
                Locale.ROOT,
                "  %-44s %8.2f s %10.2f s%n",
                what,
                median(starts.stream().map(Start::elapsed)),
                median(starts.stream().map(Start::cpuTime)));
    }

    private static double median(Stream<Duration> durations) {
        List<Duration> sorted = durations.sorted().toList();
        return sorted.get(sorted.size() / 2).toMillis() / 1000.0;
    }
}
