package dev.toolgate.core.tool;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.NeededInput;
import dev.toolgate.core.call.OutputChunk;
import dev.toolgate.core.call.Progress;
import dev.toolgate.core.call.ToolLog;
import dev.toolgate.core.call.WorkspaceKey;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a running tool knows about its call.
 *
 * @param call as received
 * @param bounds the effective limits of caller, session and scope
 */
public record ToolContext(Call call, Bounds bounds) {
    /** The default limit for output text. */
    public static final int DEFAULT_OUTPUT_BYTES = 100 * 1024;

    /** The call's workspace, the only place where a tool may use files or run commands. */
    public WorkspaceKey workspace() {
        return WorkspaceKey.of(call.caller());
    }

    /** Sends a piece of output to the call's listener. */
    public void emit(OutputChunk.Source source, String text) {
        call.listener().onChunk(new OutputChunk(source, text));
    }

    /** Reports the tool's progress to the call's listener. */
    public void report(Progress progress) {
        call.listener().onProgress(progress);
    }

    /** Forwards a log message of the tool's server to the call's listener. */
    public void log(ToolLog message) {
        call.listener().onLog(message);
    }

    /** Requests input from the caller, by keys that the tool chooses; unanswered inputs are absent from the result. */
    public Map<String, ObjectNode> ask(Map<String, NeededInput> inputs) throws InterruptedException {
        return call.listener().onInputNeeded(inputs);
    }

    /** The limit for output text, or the given default. */
    public int maxOutputBytesOr(int defaultBytes) {
        Integer set = bounds.maxOutputBytes();
        return set == null ? defaultBytes : set;
    }
}
