package dev.toolgate.cli.hook;

import dev.toolgate.cli.terminal.SignalHandlers;
import dev.toolgate.cli.terminal.TerminalDevice;
import dev.toolgate.runtime.sandbox.command.Signals;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A child process that takes over this process's terminal, signals and exit code. */
final class AgentProgram {
    private static final int TERMINATED = 128 + 15;

    private @Nullable Process running;
    private boolean isStopped;

    private AgentProgram() {}

    /** Forwards the signals of this process from now on; before that, they end it as usual. */
    static AgentProgram takingSignals() {
        AgentProgram program = new AgentProgram();
        // A terminal sends Ctrl-C to both processes, and the child may handle it without exiting.
        SignalHandlers.handle("INT", TerminalDevice.isInput() ? () -> {} : () -> program.stop(Signals::interrupt));
        SignalHandlers.handle("TERM", () -> program.stop(Process::destroy));
        SignalHandlers.handle("HUP", () -> program.stop(Signals::hangUp));
        return program;
    }

    private synchronized void stop(Consumer<Process> signal) {
        isStopped = true;
        if (running != null) {
            signal.accept(running);
        }
    }

    /**
     * Runs it to its end.
     *
     * @param environment all of its environment
     * @return its exit code
     */
    int run(List<String> command, Map<String, String> environment) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).inheritIO();
        builder.environment().clear();
        builder.environment().putAll(environment);
        Process program;
        synchronized (this) {
            if (isStopped) {
                return TERMINATED;
            }
            program = builder.start();
            running = program;
        }
        while (true) {
            try {
                return program.waitFor();
            } catch (InterruptedException stopped) {
                stop(Process::destroy);
            }
        }
    }
}
