package dev.toolgate.runtime.network;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs network I/O on its own thread, so that the caller returns at once on time-out or interrupt, even while the I/O
 * blocks.
 */
record Deadline(Duration limit) {

    /** Runs the work; its sockets are closed in every case when this returns. */
    <T> T run(Callable<T> work, CallSockets sockets) throws ToolFailure, InterruptedException {
        FutureTask<T> task = new FutureTask<>(work);
        try (sockets) {
            Thread.ofVirtual().name("toolgate-http").start(task);
            return task.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException tooLate) {
            throw new ToolFailure(
                    ErrorCode.TOOL_EXECUTION_TIMEOUT,
                    "The request was not answered completely within " + inSeconds() + " and was aborted");
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof ToolFailure expected) {
                throw expected;
            }
            throw new IllegalStateException(failed.getCause());
        }
    }

    private String inSeconds() {
        return limit.toMillis() % 1000 == 0 ? limit.toSeconds() + " seconds" : limit.toMillis() + " milliseconds";
    }
}
