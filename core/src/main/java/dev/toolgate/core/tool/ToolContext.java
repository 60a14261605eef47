package dev.toolgate.core.tool;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.OutputChunk;
import dev.toolgate.core.call.WorkspaceKey;

/**
 * What a running tool knows about its call.
 *
 * @param call the call as it came in
 * @param bounds the effective limits: the caller's, the session's and the scope's together
 */
public record ToolContext(Call call, Bounds bounds) {
    /** How much text of an output is shown where nobody has set a limit. */
    public static final int USUAL_OUTPUT_BYTES = 100 * 1024;

    /** Where the call works; a tool that touches files or runs commands does so there and nowhere else. */
    public WorkspaceKey workspace() {
        return WorkspaceKey.of(call.caller());
    }

    /** Hands a piece of output to whoever is listening. */
    public void emit(OutputChunk.Source source, String text) {
        call.listener().onChunk(new OutputChunk(source, text));
    }

    /** The limit for the text of the output, or the given one if nobody has set any. */
    public int maxOutputBytesOr(int usual) {
        Integer set = bounds.maxOutputBytes();
        return set == null ? usual : set;
    }
}
