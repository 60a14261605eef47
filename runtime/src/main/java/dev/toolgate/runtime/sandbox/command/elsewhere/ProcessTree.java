package dev.toolgate.runtime.sandbox.command.elsewhere;

/** How a platform reaches every process that a command has started. */
interface ProcessTree {

    /** Asks them to end. */
    void ask();

    /** Ends them. */
    void end();

    /** Lets go of what reaching them took; they have ended. */
    void release();
}
