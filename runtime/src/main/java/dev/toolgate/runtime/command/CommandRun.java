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
 * A started command whose three streams are being served. It is finished when the command exits, not when its output
 * ends: a background process could hold the output open for ever.
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
     * The exit code; empty after a time-out. In both cases no process of the command is left running. On an interrupt
     * the command is ended before the interrupt is passed on.
     */
    OptionalInt finish(CommandTimeout time) throws InterruptedException {
        try {
            OptionalInt exitCode = command.waitFor(time.limit());
            if (exitCode.isPresent()) {
                drain();
            } else {
                end();
            }
            return exitCode;
        } catch (InterruptedException stopped) {
            boolean timedOut = time.callTimedOut();
            end();
            if (!timedOut) {
                throw stopped;
            }
            Thread.currentThread().interrupt();
            return OptionalInt.empty();
        }
    }

    // When no process of the tree is alive, the streams are closed and the readers end.
    private void drain() throws InterruptedException {
        if (!joinReaders(DRAIN)) {
            command.terminate(Duration.ZERO);
            joinReaders(DRAIN);
        }
    }

    private void end() {
        command.terminate(GRACE);
        try {
            joinReaders(DRAIN);
        } catch (InterruptedException again) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean joinReaders(Duration timeout) throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
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
            // The command ended or closed its input, which is not an error.
        }
    }

    // Platform threads: a virtual thread that reads a pipe pins its carrier, and a few hundred commands would use up
    // all carriers.
    private static Thread thread(String name, Runnable work) {
        return Thread.ofPlatform().daemon().name(name).start(work);
    }
}
