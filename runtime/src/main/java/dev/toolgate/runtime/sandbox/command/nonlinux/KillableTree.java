package dev.toolgate.runtime.sandbox.command.nonlinux;

/** Ends all processes of a command on one platform. */
interface KillableTree {

    /** Requests termination. */
    void terminate();

    /** Kills them. */
    void kill();

    /** Releases resources after they have ended. */
    void release();
}
