package dev.toolgate.runtime.tools.shell;

import static org.awaitility.Awaitility.await;

import dev.toolgate.runtime.sandbox.command.ProcessCommand;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;

/** A process that leads its own process group. */
final class PlainCommand extends ProcessCommand {
    private final Process process;

    PlainCommand(Process process) {
        super(process);
        this.process = process;
    }

    @Override
    public void terminate(Duration grace) {
        if (!grace.isZero() && isAlive()) {
            run(signal("TERM"));
            try {
                await().atMost(grace).until(() -> !isAlive());
            } catch (ConditionTimeoutException stubborn) {
                close();
            }
        }
        close();
    }

    @Override
    public void close() {
        if (isAlive()) {
            run(signal("KILL"));
            await().atMost(Duration.ofSeconds(10)).until(() -> !isAlive());
        }
    }

    private List<String> signal(String name) {
        return List.of("/bin/kill", "-" + name, "--", "-" + process.pid());
    }

    /** Whether any process of the group runs, not counting zombies. */
    boolean isAlive() {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return processes
                    .filter(folder -> folder.getFileName().toString().matches("\\d+"))
                    .anyMatch(this::isOfGroup);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private boolean isOfGroup(Path folder) {
        try {
            String stat = Files.readString(folder.resolve("stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return !fields[0].equals("Z") && Long.parseLong(fields[2]) == process.pid();
        } catch (IOException gone) {
            return false;
        }
    }

    private static void run(List<String> line) {
        try {
            new ProcessBuilder(line).redirectErrorStream(true).start().waitFor(10, TimeUnit.SECONDS);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
