package dev.toolgate.runtime.tools.file;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.runtime.sandbox.files.DangerousPaths;
import dev.toolgate.runtime.sandbox.files.PendingWrites;
import dev.toolgate.runtime.sandbox.files.Workspace;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads twenty lines of a file from the given line and writes them to another file. */
final class ReadingProgram {
    private ReadingProgram() {}

    public static void main(String[] arguments) throws Exception {
        Workspace workspace = Workspace.open(
                Path.of(arguments[0]), null, DangerousPaths.standard(), PendingWrites.in(Path.of(arguments[1])));
        ToolContext context =
                new ToolContext(Call.of(Caller.local(), "file_read", Json.MAPPER.createObjectNode()), Bounds.none());
        String text = new FileReadTool(FileTools.in(workspace))
                .call(new FileReadTool.Arguments(arguments[2], Long.valueOf(arguments[3]), 20L, null), context)
                .text();
        Files.writeString(Path.of(arguments[4]), text);
    }
}
