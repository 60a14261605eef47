package dev.toolgate.runtime.tools.file;

import dev.toolgate.core.tool.Tool;
import dev.toolgate.runtime.output.SpoolFolder;
import dev.toolgate.runtime.sandbox.command.RefusingSandbox;
import dev.toolgate.runtime.sandbox.files.Workspace;
import dev.toolgate.runtime.workspace.OpenWorkspace;
import dev.toolgate.runtime.workspace.Workspaces;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** The file tools for a test workspace. */
public final class FileTools {
    private FileTools() {}

    public static List<Tool<?>> all(Workspace files, WriteTracker tracker) {
        Workspaces workspaces = in(files);
        return List.of(
                new FileReadTool(workspaces),
                new FileWriteTool(workspaces, tracker),
                new FileDeleteTool(workspaces, tracker),
                new FileListTool(workspaces));
    }

    /** A workspace with these files that refuses commands. */
    static Workspaces in(Workspace files) {
        try {
            return Workspaces.single(new OpenWorkspace(
                    files,
                    new RefusingSandbox("this test runs none"),
                    SpoolFolder.open(files.projectRoot().resolveSibling("spool"))));
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }
}
