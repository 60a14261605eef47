package dev.toolgate.runtime.tools.file;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.runtime.sandbox.files.DangerousPaths;
import dev.toolgate.runtime.sandbox.files.PendingWrites;
import dev.toolgate.runtime.sandbox.files.Workspace;
import java.nio.file.Path;

/** Writes a file alternately with two letters until it is killed. */
final class WritingProgram {
    static final int SIZE = 2_000_000;

    private WritingProgram() {}

    static String content(char letter) {
        return String.valueOf(letter).repeat(SIZE);
    }

    public static void main(String[] arguments) throws Exception {
        Workspace workspace = Workspace.open(
                Path.of(arguments[0]), null, DangerousPaths.standard(), PendingWrites.in(Path.of(arguments[1])));
        FileWriteTool tool = new FileWriteTool(FileTools.in(workspace), new WriteTracker());
        ToolContext context =
                new ToolContext(Call.of(Caller.local(), "file_write", Json.MAPPER.createObjectNode()), Bounds.none());
        for (int round = 0; ; round++) {
            tool.call(new FileWriteTool.Arguments("deep/file.txt", content(round % 2 == 0 ? 'a' : 'b'), null), context);
            System.out.println(round);
        }
    }
}
