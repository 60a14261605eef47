package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.runtime.sandbox.command.ProcessCommand;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A command running in its own bubblewrap sandbox. */
final class BubblewrapCommand extends ProcessCommand {
    private final SandboxProcess sandbox;
    private final MemoryWatchdog.Watch memory;
    private final Consumer<BubblewrapCommand> onEnd;
    private final AtomicBoolean ended = new AtomicBoolean();

    /** @param onEnd called once, when no process of the command is alive */
    BubblewrapCommand(SandboxProcess sandbox, MemoryWatchdog.Watch memory, Consumer<BubblewrapCommand> onEnd) {
        super(sandbox.monitor());
        this.sandbox = sandbox;
        this.memory = memory;
        this.onEnd = onEnd;
    }

    @Override
    public Optional<String> endReason() {
        return memory.verdict();
    }

    @Override
    public void terminate(Duration grace) {
        if (!ended.get()) {
            sandbox.terminate(grace);
            finish();
        }
    }

    @Override
    public void close() {
        sandbox.close();
        finish();
    }

    private void finish() {
        if (ended.compareAndSet(false, true)) {
            onEnd.accept(this);
        }
    }
}
