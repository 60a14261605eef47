package dev.toolgate.core.undo;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import java.io.IOException;

/**
 * The form of a tool that undoes changes, if nothing has changed since.
 *
 * @param <A> the record its arguments are bound to
 */
public interface UndoTool<A> extends Tool<A> {

    /** Compares a change with the current state. Must have no side effects. */
    ThreeWayComparison compare(KeptChange change, ToolContext context) throws ToolFailure, InterruptedException;

    /** The failure if a change cannot be undone. */
    static ToolFailure refused(ThreeWayComparison.Standing standing, String target) {
        return new ToolFailure(ErrorCode.CHANGED_SINCE, standing.reason(target));
    }

    /**
     * The change that a call wants to undo, if it is the agent's own and is the one that the call declares.
     *
     * @param tool the canonical name of the tool that would undo it
     * @param target what the call declares to change, which the decision was based on
     */
    static KeptChange find(KeptChanges kept, ToolContext context, String uri, String tool, String target)
            throws ToolFailure {
        try {
            KeptChange change = kept.find(
                            context.call().caller().tenant(),
                            context.call().caller().agent(),
                            uri)
                    .orElseThrow(() -> new ToolFailure(
                            ErrorCode.KEY_NOT_FOUND, "The former state of '" + target + "' is not kept any more"));
            boolean meant = change.states() instanceof KeptChange.Kept states
                    && change.subject().toolFor(states.before()).equals(tool)
                    && change.target().equals(target);
            if (!meant) {
                throw new ToolFailure(
                        ErrorCode.INVALID_REQUEST, "What is kept is not the former state of '" + target + "'");
            }
            return change;
        } catch (IOException unreadable) {
            throw new ToolFailure(
                    ErrorCode.SERVICE_UNAVAILABLE, "The former state of '" + target + "' cannot be read now");
        }
    }
}
