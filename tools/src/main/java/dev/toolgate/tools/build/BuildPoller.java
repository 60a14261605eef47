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

/** Polls a build until it has ended or the wait is over. If the call is cancelled, the build is cancelled too. */
final class BuildPoller {
    private static final Logger LOG = LoggerFactory.getLogger(BuildPoller.class);
    private static final int MAX_FAILED_POLLS = 5;

    private final RunningBuild build;
    private final Duration interval;
    private final ToolContext context;
    private final Redactor redactor;

    BuildPoller(RunningBuild build, Duration interval, ToolContext context, Redactor redactor) {
        this.build = build;
        this.interval = interval;
        this.context = context;
        this.redactor = redactor;
    }

    RunningBuild.State until(Duration wait) throws ToolFailure, InterruptedException {
        long deadline = System.nanoTime() + wait.toNanos();
        RunningBuild.@Nullable State last = null;
        int failedPolls = 0;
        try {
            while (true) {
                try {
                    RunningBuild.State now = build.poll();
                    report(last, now);
                    last = now;
                    failedPolls = 0;
                    if (now.phase().ended() || System.nanoTime() >= deadline) {
                        return now;
                    }
                } catch (ToolFailure failure) {
                    if (++failedPolls == MAX_FAILED_POLLS || !isTransient(failure)) {
                        throw failure;
                    }
                }
                Thread.sleep(interval);
            }
        } catch (InterruptedException cancelled) {
            stop();
            throw cancelled;
        }
    }

    // The build continues while the service is briefly unavailable.
    private static boolean isTransient(ToolFailure failure) {
        ErrorCode code = failure.failure().code();
        return code == ErrorCode.SERVICE_UNAVAILABLE || code == ErrorCode.TOOL_EXECUTION_TIMEOUT;
    }

    private void report(RunningBuild.@Nullable State last, RunningBuild.State now) {
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
            context.emit(OutputChunk.Source.PROGRESS, "Cancellation of the build was requested\n");
        } catch (ToolFailure unstopped) {
            LOG.warn("A build could not be cancelled: {}", unstopped.failure().message());
        }
    }
}
