package dev.toolgate.bench;

import dev.toolgate.runtime.platform.WorkspaceAccount;
import dev.toolgate.runtime.sandbox.command.CommandRequest;
import dev.toolgate.runtime.sandbox.command.RunningCommand;
import dev.toolgate.runtime.sandbox.command.SandboxSettings;
import dev.toolgate.runtime.sandbox.command.bubblewrap.BubblewrapSandbox;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The time from starting {@code true} to its exit code. Targets: with the sandbox pool at most 4 times a plain
 * ProcessBuilder; without the pool at most 1.2 times the same bubblewrap command started by a shell.
 */
final class CommandStart {
    private static final int ROUNDS = 60;
    private static final int WARM_UP = 60;
    private static final int IN_A_SHELL = 5;
    private static final String PLAIN = "ProcessBuilder, plain true";
    private static final String POOLED = "confined true, sandbox started ahead";
    private static final String UNPOOLED = "confined true, sandbox started now";
    private static final String SHELL = "the same bubblewrap line from a shell";

    private CommandStart() {}

    public static void main(String[] args) throws Exception {
        Path workspace = Files.createTempDirectory("bench-command").toRealPath();
        Files.setPosixFilePermissions(workspace, PosixFilePermissions.fromString("rwxr-xr-x"));
        WorkspaceAccount.changeOwner(workspace, WorkspaceAccount.of(workspace));
        SandboxSettings settings = SandboxSettings.standard();
        Map<String, List<Long>> nanos = new LinkedHashMap<>();
        try (BubblewrapSandbox pooled = open(settings.withWarm(1, 1));
                BubblewrapSandbox unpooled = open(settings.withWarm(0, 0))) {
            pooled.prepare(workspace);
            List<String> line = shellLoop(unpooled.line(workspace));
            for (int warmUp = 0; warmUp < 3_000; warmUp++) {
                unpooled.line(workspace); // warm-up, like a server that has been running for a while
            }
            for (int round = -WARM_UP; round < ROUNDS; round++) {
                while (pooled.preparedCount(workspace) == 0) {
                    Thread.onSpinWait();
                }
                long[] times = {
                    time(() -> new ProcessBuilder("/bin/true").start().waitFor()), confined(pooled, workspace), 0, 0
                };
                // Waits until the next sandbox is in the pool, so that its start does not affect the other
                // measurements.
                while (pooled.preparedCount(workspace) == 0) {
                    Thread.onSpinWait();
                }
                times[2] = confined(unpooled, workspace);
                times[3] = time(() -> run(line)) / IN_A_SHELL;
                if (round >= 0) {
                    note(nanos, times);
                }
            }
        }
        print(nanos);
    }

    private static BubblewrapSandbox open(SandboxSettings settings) throws Exception {
        return BubblewrapSandbox.open(WorkspaceAccount::of, settings, domains -> {
            throw new IllegalStateException("no network here");
        });
    }

    // Replaces the last argument, the script that waits for a command, by one that runs true.
    private static List<String> shellLoop(List<String> line) {
        List<String> loop = new ArrayList<>(List.of(
                "/bin/sh",
                "-c",
                "i=0; while [ $i -lt " + IN_A_SHELL + " ]; do \"$@\" </dev/null >/dev/null; i=$((i+1)); done",
                "sh"));
        loop.addAll(line.subList(0, line.size() - 1));
        loop.add("read -r nothing; exec /bin/sh -c true");
        return loop;
    }

    private static void run(List<String> line) throws Exception {
        if (new ProcessBuilder(line).start().waitFor() != 0) {
            throw new IllegalStateException("the line failed");
        }
    }

    // Closing is not measured, because the caller already has the exit code.
    private static long confined(BubblewrapSandbox sandbox, Path workspace) throws Exception {
        CommandRequest request = CommandRequest.inWholeWorkspace("true", workspace, workspace, Map.of(), List.of());
        long start = System.nanoTime();
        try (RunningCommand command = sandbox.start(request)) {
            if (command.waitFor(Duration.ofSeconds(30)).orElse(-1) != 0) {
                throw new IllegalStateException("true failed");
            }
            return System.nanoTime() - start;
        }
    }

    private static long time(Comparison.Work work) throws Exception {
        long start = System.nanoTime();
        work.run();
        return System.nanoTime() - start;
    }

    private static void note(Map<String, List<Long>> nanos, long[] times) {
        List<String> names = List.of(PLAIN, POOLED, UNPOOLED, SHELL);
        for (int variant = 0; variant < times.length; variant++) {
            nanos.computeIfAbsent(names.get(variant), _ -> new ArrayList<>()).add(times[variant]);
        }
    }

    private static void print(Map<String, List<Long>> nanos) {
        System.out.println("From asking for 'true' to its exit code, median of " + ROUNDS);
        nanos.forEach((name, times) -> System.out.printf(
                Locale.ROOT,
                "  %-44s %9.2f ms   %5.2f x%n",
                name,
                median(times) / 1e6,
                median(times) / median(nanos, PLAIN)));
        System.out.println();
        System.out.printf(
                Locale.ROOT,
                "ratio pooled / ProcessBuilder: %.2f (bar: 4)%n",
                median(nanos, POOLED) / median(nanos, PLAIN));
        System.out.printf(
                Locale.ROOT,
                "ratio unpooled / shell: %.2f (bar: 1.2)%n",
                median(nanos, UNPOOLED) / median(nanos, SHELL));
    }

    private static double median(Map<String, List<Long>> nanos, String variant) {
        return median(nanos.getOrDefault(variant, List.of(0L)));
    }

    private static double median(List<Long> times) {
        long[] sorted = times.stream().mapToLong(Long::longValue).toArray();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
