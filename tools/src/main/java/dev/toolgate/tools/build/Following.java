package dev.toolgate.tools.build;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.OutputChunk;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at a build until it has ended or the wait is over. Whoever is no longer wanted stops the build as well. */
final class Following {
    private static final Logger LOG = LoggerFactory.getLogger(Following.class);
    private static final int MOST_MISSES = 5;

    private final RunningBuild build;
    private final Duration pause;
    private final ToolContext context;
    private final Redactor redactor;

    Following(RunningBuild build, Duration pause, ToolContext context, Redactor redactor) {
        this.build = build;
        this.pause = pause;
        this.context = context;
        this.redactor = redactor;
    }

    RunningBuild.State until(Duration wait) throws ToolFailure, InterruptedException {
        long deadline = System.nanoTime() + wait.toNanos();
        RunningBuild.@Nullable State last = null;
        int misses = 0;
        try {
            while (true) {
                try {
                    RunningBuild.State now = build.look();
                    tell(last, now);
                    last = now;
                    misses = 0;
                    if (now.phase().ended() || System.nanoTime() >= deadline) {
                        return now;
                    }
                } catch (ToolFailure missed) {
                    if (++misses == MOST_MISSES || !passes(missed)) {
                        throw missed;
                    }
                }
                Thread.sleep(pause);
            }
        } catch (InterruptedException cancelled) {
            stop();
            throw cancelled;
        }
    }

    // A build goes on while the service that shows it is away for a moment.
    private static boolean passes(ToolFailure missed) {
        ErrorCode code = missed.failure().code();
        return code == ErrorCode.SERVICE_UNAVAILABLE || code == ErrorCode.TOOL_EXECUTION_TIMEOUT;
    }

    private void tell(RunningBuild.@Nullable State last, RunningBuild.State now) {
        if (last == null || last.phase() != now.phase()) {
            context.emit(
                    OutputChunk.Source.PROGRESS,
                    "The build is " + now.phase().name().toLowerCase(Locale.ROOT) + ": " + now.link() + "\n");
        }
        if (!now.printed().isEmpty()) {
            context.emit(OutputChunk.Source.STDOUT, redactor.hideKnown(now.printed()));
        }
    }

    private void stop() throws InterruptedException {
        try {
            build.cancel();
            context.emit(OutputChunk.Source.PROGRESS, "The build was told to stop\n");
        } catch (ToolFailure unstopped) {
            LOG.warn("A build could not be stopped: {}", unstopped.failure().message());
        }
    }
}
