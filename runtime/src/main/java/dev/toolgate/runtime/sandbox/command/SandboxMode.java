package dev.toolgate.runtime.sandbox.command;

/** The confinement an operator requires. */
public enum SandboxMode {
    /** Commands are confined or refused. */
    CONFINED,
    /** Where commands cannot be confined, they run with the weaker confinement the platform has. */
    DEGRADED
}
