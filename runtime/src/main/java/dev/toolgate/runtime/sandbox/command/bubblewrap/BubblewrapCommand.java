package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.runtime.sandbox.command.ProcessCommand;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A command in its own sandbox. */
final class BubblewrapCommand extends ProcessCommand {
    private final SandboxProcess sandbox;
    private final MemoryWatchdog.Watch memory;
    private final Consumer<BubblewrapCommand> afterwards;
    private final AtomicBoolean over = new AtomicBoolean();

    /** @param afterwards called once, when nothing of the command is alive any more */
    BubblewrapCommand(SandboxProcess sandbox, MemoryWatchdog.Watch memory, Consumer<BubblewrapCommand> afterwards) {
        super(sandbox.monitor());
        this.sandbox = sandbox;
        this.memory = memory;
        this.afterwards = afterwards;
    }

    @Override
    public Optional<String> endedBecause() {
        return memory.verdict();
    }

    @Override
    public void terminate(Duration grace) {
        if (!over.get()) {
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
        if (over.compareAndSet(false, true)) {
            afterwards.accept(this);
        }
    }
}
