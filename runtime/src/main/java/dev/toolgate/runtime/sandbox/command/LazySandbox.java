package dev.toolgate.runtime.sandbox.command;

import dev.toolgate.core.tool.ToolFailure;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A sandbox that is selected and tested on the first command, so that programs without commands avoid the cost. */
public final class LazySandbox implements CommandSandbox {
    private static final Logger LOG = LoggerFactory.getLogger(LazySandbox.class);

    private final Supplier<CommandSandbox> factory;
    private @Nullable CommandSandbox open;
    private boolean closed;

    public LazySandbox(Supplier<CommandSandbox> factory) {
        this.factory = factory;
    }

    @Override
    public RunningCommand start(CommandRequest request) throws ToolFailure, InterruptedException {
        return open().start(request);
    }

    @Override
    public Confinement confinement() {
        return open().confinement();
    }

    private synchronized CommandSandbox open() {
        if (closed) {
            return new RefusingSandbox("The runtime has been closed; open a new one.");
        }
        if (open == null) {
            open = factory.get();
            if (open.confinement().level() == Confinement.Level.DEGRADED) {
                LOG.warn(
                        "COMMANDS ARE NOT FULLY CONFINED. {}",
                        open.confinement().detail());
            }
        }
        return open;
    }

    @Override
    public synchronized void close() {
        closed = true;
        if (open != null) {
            open.close();
        }
    }
}
