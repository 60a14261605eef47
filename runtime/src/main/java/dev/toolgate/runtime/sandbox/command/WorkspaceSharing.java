package dev.toolgate.runtime.sandbox.command;

/** Whether commands of one workspace run concurrently. */
public enum WorkspaceSharing {
    /** Concurrently. */
    SIDE_BY_SIDE,
    /** A command waits until earlier ones have ended. */
    ONE_AT_A_TIME
}
