package dev.toolgate.runtime.tools.file;

import dev.toolgate.core.tool.Tool;
import dev.toolgate.runtime.sandbox.files.Workspace;
import java.util.List;

/** The file tools of one workspace. */
public final class FileTools {
    private FileTools() {}

    /** All four; what they change is noted with the tracker. */
    public static List<Tool<?>> all(Workspace workspace, WriteTracker tracker) {
        return List.of(
                new FileReadTool(workspace),
                new FileWriteTool(workspace, tracker),
                new FileDeleteTool(workspace, tracker),
                new FileListTool(workspace));
    }
}
