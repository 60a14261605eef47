package dev.toolgate.runtime.sandbox.command;

import dev.toolgate.core.tool.ToolFailure;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A sandbox that is selected and tested on the first command, so that programs without commands avoid the cost. That
 * happens on a thread of its own: a call that is cancelled or times out meanwhile must not decide how all later
 * commands are confined.
 */
public final class LazySandbox implements CommandSandbox {
    private static final Logger LOG = LoggerFactory.getLogger(LazySandbox.class);

    private final Supplier<CommandSandbox> factory;
    private @Nullable FutureTask<CommandSandbox> opening; // guarded by this
    private boolean closed; // guarded by this

    public LazySandbox(Supplier<CommandSandbox> factory) {
        this.factory = factory;
    }

    @Override
    public RunningCommand start(CommandRequest request) throws ToolFailure, InterruptedException {
        return result(opening()).start(request);
    }

    @Override
    public Confinement confinement() {
        return resultUninterrupted(opening()).confinement();
    }

    private synchronized FutureTask<CommandSandbox> opening() {
        if (closed) {
            return opened(new RefusingSandbox("The runtime has been closed; open a new one."));
        }
        if (opening == null) {
            opening = new FutureTask<>(this::open);
            Thread.ofVirtual().name("toolgate-sandbox-test").start(opening);
        }
        return opening;
    }

    private static FutureTask<CommandSandbox> opened(CommandSandbox sandbox) {
        FutureTask<CommandSandbox> done = new FutureTask<>(() -> sandbox);
        done.run();
        return done;
    }

    private CommandSandbox open() {
        CommandSandbox opened = factory.get();
        if (opened.confinement().level() == Confinement.Level.DEGRADED) {
            LOG.warn("COMMANDS ARE NOT FULLY CONFINED. {}", opened.confinement().detail());
        }
        return opened;
    }

    private CommandSandbox result(FutureTask<CommandSandbox> task) throws InterruptedException {
        try {
            return task.get();
        } catch (ExecutionException failed) {
            forget(task);
            throw failed.getCause() instanceof RuntimeException unexpected
                    ? unexpected
                    : new IllegalStateException("The sandbox for commands cannot be selected.", failed.getCause());
        }
    }

    /** The next command tries again. */
    private synchronized void forget(FutureTask<CommandSandbox> failed) {
        if (failed.equals(opening)) {
            opening = null;
        }
    }

    private CommandSandbox resultUninterrupted(FutureTask<CommandSandbox> task) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return result(task);
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void close() {
        FutureTask<CommandSandbox> open;
        synchronized (this) {
            closed = true;
            open = opening;
        }
        if (open == null) {
            return;
        }
        try {
            resultUninterrupted(open).close();
        } catch (RuntimeException neverOpened) {
            LOG.debug("There is no sandbox to close: {}", neverOpened.getMessage());
        }
    }
}
