package dev.toolgate.runtime.sandbox.command;

/** Whether a command may run while another one runs in its workspace. */
public enum WorkspaceSharing {
    /** It may. */
    SIDE_BY_SIDE,
    /** It waits until the others have ended, and later ones wait for it. */
    ONE_AT_A_TIME
}
