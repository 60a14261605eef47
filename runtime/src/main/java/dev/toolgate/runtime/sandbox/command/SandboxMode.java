package dev.toolgate.runtime.sandbox.command;

/** How much confinement the operator insists on. */
public enum SandboxMode {
    /** Commands are confined or refused. */
    CONFINED,
    /** Where commands cannot be confined, they run with whatever weaker means the platform has. */
    DEGRADED
}
