package dev.toolgate.runtime.sandbox.command.elsewhere;

/** How a platform reaches every process that a command has started. */
interface KillableTree {

    /** Asks them to end. */
    void ask();

    /** Ends them. */
    void end();

    /** Lets go of what reaching them took; they have ended. */
    void release();
}
