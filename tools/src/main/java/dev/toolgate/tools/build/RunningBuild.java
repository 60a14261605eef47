package dev.toolgate.tools.build;

import dev.toolgate.core.tool.ToolFailure;

/** A started build. */
interface RunningBuild {
    /** The current state. */
    State poll() throws ToolFailure, InterruptedException;

    /** Cancels it; does nothing if it has ended. */
    void cancel() throws ToolFailure, InterruptedException;

    /** The log; called once, when it has ended. */
    String log() throws ToolFailure, InterruptedException;

    /**
     * @param link the web page of the build; empty until it is known
     * @param printed new log output since the last poll, where the service provides it
     */
    record State(Phase phase, String link, String printed) {}

    /** The phase of a build. */
    enum Phase {
        QUEUED,
        RUNNING,
        SUCCEEDED,
        FAILED,
        CANCELLED;

        boolean ended() {
            return this != QUEUED && this != RUNNING;
        }
    }
}
