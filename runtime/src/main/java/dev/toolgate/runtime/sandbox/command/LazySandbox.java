package dev.toolgate.runtime.sandbox.command;

import dev.toolgate.core.tool.ToolFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A sandbox that is selected and tested on the first command, so that programs without commands avoid the cost. That
 * happens on a thread of its own: a call that is cancelled or times out meanwhile must not decide how later commands
 * are confined. Only a sandbox that passed its test is kept for good: the test may have failed because the machine was
 * overloaded, so a later command repeats it, after a wait that grows with every failure. Until then commands are
 * refused or, if that was configured, run in the weaker sandbox.
 */
public final class LazySandbox implements CommandSandbox {
    private static final Logger LOG = LoggerFactory.getLogger(LazySandbox.class);

    /** The wait after the first failed test; doubled with every further one. */
    static final Duration FIRST_WAIT = Duration.ofSeconds(5);

    static final Duration MAX_WAIT = Duration.ofMinutes(5);

    private static final int MAX_DOUBLINGS = 20;

    private final Supplier<CommandSandbox> factory;
    private final InstantSource clock;
    private final List<CommandSandbox> open = new ArrayList<>(); // guarded by this
    private @Nullable FutureTask<Tested> test; // the last one, perhaps still running; guarded by this
    private @Nullable Tested weaker; // for commands while the test is repeated; guarded by this
    private boolean closed; // guarded by this

    /**
     * The result of a test.
     *
     * @param failures how many tests in a row have not led to full confinement
     * @param retryAt when the test may be repeated
     */
    private record Tested(CommandSandbox sandbox, int failures, Instant retryAt) {
        Confinement.Level level() {
            return sandbox.confinement().level();
        }

        /** What was checked or, if commands are refused, why, and when it is tried again. */
        String detail() {
            String reason = sandbox.confinement().detail();
            return level() == Confinement.Level.UNAVAILABLE && failures > 0
                    ? reason + "; the sandbox is tested again by the first command from "
                            + retryAt.plusNanos(999_999_999).truncatedTo(ChronoUnit.SECONDS) + " on"
                    : reason;
        }
    }

    public LazySandbox(Supplier<CommandSandbox> factory) {
        this(factory, InstantSource.system());
    }

    LazySandbox(Supplier<CommandSandbox> factory, InstantSource clock) {
        this.factory = factory;
        this.clock = clock;
    }

    @Override
    public RunningCommand start(CommandRequest request) throws ToolFailure, InterruptedException {
        Tested tested = result(current());
        return tested.level() == Confinement.Level.UNAVAILABLE
                ? new RefusingSandbox(tested.detail()).start(request)
                : tested.sandbox().start(request);
    }

    @Override
    public Confinement confinement() {
        Tested tested = resultUninterrupted(current());
        return new Confinement(tested.level(), tested.sandbox().confinement().mechanism(), tested.detail());
    }

    /** The test whose result decides now; begins one if there is none, or the last one may be repeated. */
    private synchronized FutureTask<Tested> current() {
        if (closed) {
            return done(
                    new Tested(new RefusingSandbox("The runtime has been closed; open a new one."), 0, Instant.MAX));
        }
        FutureTask<Tested> last = test;
        if (last == null || isDue(last)) {
            last = begin(last);
        }
        return last.isDone() || weaker == null ? last : done(weaker);
    }

    private boolean isDue(FutureTask<Tested> last) {
        return switch (last.state()) {
            case RUNNING -> false;
            case FAILED, CANCELLED -> true;
            case SUCCESS -> {
                Tested tested = last.resultNow();
                yield tested.level() != Confinement.Level.CONFINED
                        && !clock.instant().isBefore(tested.retryAt());
            }
        };
    }

    private synchronized FutureTask<Tested> begin(@Nullable FutureTask<Tested> last) {
        Tested before = last != null && last.state() == FutureTask.State.SUCCESS ? last.resultNow() : weaker;
        weaker = before != null && before.level() == Confinement.Level.DEGRADED ? before : null;
        FutureTask<Tested> begun = new FutureTask<>(() -> test(before));
        test = begun;
        Thread.ofVirtual().name("toolgate-sandbox-test").start(begun);
        return begun;
    }

    private static FutureTask<Tested> done(Tested result) {
        FutureTask<Tested> done = new FutureTask<>(() -> result);
        done.run();
        return done;
    }

    private Tested test(@Nullable Tested before) {
        CommandSandbox opened = factory.get();
        Confinement confinement = opened.confinement();
        boolean passed = confinement.level() == Confinement.Level.CONFINED;
        int failures = passed ? 0 : 1 + (before == null ? 0 : before.failures());
        Instant retryAt = clock.instant().plus(waitAfter(failures));
        if (!passed && before != null && before.level() == Confinement.Level.DEGRADED) {
            opened.close(); // commands may be running in the one before
            return new Tested(before.sandbox(), failures, retryAt);
        }
        log(confinement, before);
        register(opened);
        return new Tested(opened, failures, retryAt);
    }

    private synchronized void register(CommandSandbox opened) {
        open.add(opened);
    }

    private static void log(Confinement confinement, @Nullable Tested before) {
        switch (confinement.level()) {
            case CONFINED -> {
                if (before != null) {
                    LOG.info("The sandbox for commands has passed its test now.");
                }
            }
            case DEGRADED -> LOG.warn("COMMANDS ARE NOT FULLY CONFINED. {}", confinement.detail());
            case UNAVAILABLE -> LOG.warn("Commands are refused: {}", confinement.detail());
        }
    }

    private static Duration waitAfter(int failures) {
        Duration wait = FIRST_WAIT.multipliedBy(1L << Math.clamp(failures - 1, 0, MAX_DOUBLINGS));
        return wait.compareTo(MAX_WAIT) < 0 ? wait : MAX_WAIT;
    }

    private static Tested result(FutureTask<Tested> task) throws InterruptedException {
        try {
            return task.get();
        } catch (ExecutionException failed) {
            throw failed.getCause() instanceof RuntimeException unexpected
                    ? unexpected
                    : new IllegalStateException("The sandbox for commands cannot be selected.", failed.getCause());
        }
    }

    private static Tested resultUninterrupted(FutureTask<Tested> task) {
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
        FutureTask<Tested> last;
        synchronized (this) {
            closed = true;
            last = test;
        }
        if (last != null) {
            try {
                var _ = resultUninterrupted(last); // registers its sandbox
            } catch (RuntimeException neverOpened) {
                LOG.debug("The last test opened no sandbox: {}", neverOpened.getMessage());
            }
        }
        List<CommandSandbox> opened;
        synchronized (this) {
            opened = List.copyOf(open);
            open.clear();
        }
        opened.forEach(CommandSandbox::close);
    }
}
