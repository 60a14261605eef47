package dev.toolgate.runtime.command;

import dev.toolgate.runtime.output.OutputCapture;
import dev.toolgate.runtime.sandbox.command.RunningCommand;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A started command with its three streams being served. The end of the command is what counts, not
 * the end of its output, which a process left in the background can hold open for ever.
 */
final class CommandRun {
    private static final Duration GRACE = Duration.ofSeconds(5);
    private static final Duration DRAIN = Duration.ofSeconds(1);

    private final RunningCommand command;
    private final List<Thread> readers;

    private CommandRun(RunningCommand command, List<Thread> readers) {
        this.command = command;
        this.readers = readers;
    }

    static CommandRun serve(
            RunningCommand command, @Nullable String stdin, OutputCapture stdout, OutputCapture stderr) {
        CommandRun run = new CommandRun(
                command,
                List.of(
                        thread("command-stdout", () -> stdout.readAll(command.stdout())),
                        thread("command-stderr", () -> stderr.readAll(command.stderr()))));
        if (stdin == null || stdin.isEmpty()) {
            feed(command.stdin(), "");
        } else {
            thread("command-stdin", () -> feed(command.stdin(), stdin));
        }
        return run;
    }

    /**
     * The exit code; empty if the time was up first. Either way nothing of the command is left
     * running, and an interrupt ends the command before it passes.
     */
    OptionalInt finish(TimeAllowance time) throws InterruptedException {
        try {
            OptionalInt exitCode = command.waitFor(time.limit());
            if (exitCode.isPresent()) {
                drain();
            } else {
                end();
            }
            return exitCode;
        } catch (InterruptedException stopped) {
            boolean outOfTime = time.alarmIsDue();
            end();
            if (!outOfTime) {
                throw stopped;
            }
            Thread.currentThread().interrupt();
            return OptionalInt.empty();
        }
    }

    // Once nothing of the tree is alive nobody holds the streams, so the readers find their end.
    private void drain() throws InterruptedException {
        if (!readersEndWithin(DRAIN)) {
            command.terminate(Duration.ZERO);
            readersEndWithin(DRAIN);
        }
    }

    private void end() {
        command.terminate(GRACE);
        try {
            readersEndWithin(DRAIN);
        } catch (InterruptedException again) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean readersEndWithin(Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        boolean ended = true;
        for (Thread reader : readers) {
            ended &= reader.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
        }
        return ended;
    }

    private static void feed(OutputStream stream, String text) {
        try (stream) {
            stream.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException notWanted) {
            // The command ended or closed its input; that is its right.
        }
    }

    // Platform threads: a virtual thread that reads a pipe holds its carrier, and a few hundred
    // commands would leave no carrier for anybody else.
    private static Thread thread(String name, Runnable work) {
        return Thread.ofPlatform().daemon().name(name).start(work);
    }
}
