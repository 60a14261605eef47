package dev.toolgate.tools.build;

import dev.toolgate.core.tool.ToolFailure;

/** A build that was started. */
interface RunningBuild {
    /** How far it is. */
    State look() throws ToolFailure, InterruptedException;

    /** Stops it; nothing happens if it has ended. */
    void cancel() throws ToolFailure, InterruptedException;

    /** What it has printed; called once, when it has ended. */
    String log() throws ToolFailure, InterruptedException;

    /**
     * @param link for people; empty until it is known
     * @param printed what is new in its log, where the service shows that before the end
     */
    record State(Phase phase, String link, String printed) {}

    /** Where in its life a build is. */
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
