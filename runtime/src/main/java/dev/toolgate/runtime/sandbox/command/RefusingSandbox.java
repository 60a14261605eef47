package dev.toolgate.runtime.sandbox.command;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;

/** Refuses every command with a reason, because commands cannot be confined on this machine. */
public final class RefusingSandbox implements CommandSandbox {
    private final String reason;

    /**
     * @param reason one sentence: what is missing and how to fix it
     */
    public RefusingSandbox(String reason) {
        this.reason = reason;
    }

    @Override
    public RunningCommand start(CommandRequest request) throws ToolFailure {
        throw new ToolFailure(ErrorCode.TOOL_EXECUTION_FAILED, "The command was not run: " + reason);
    }

    @Override
    public Confinement confinement() {
        return new Confinement(Confinement.Level.UNAVAILABLE, "none", reason);
    }

    @Override
    public void close() {}
}
