package dev.toolgate.runtime.tools.file;

import dev.toolgate.core.call.Output;
import dev.toolgate.core.output.HeadTail;
import dev.toolgate.core.output.VisibleText;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.schema.Touch;
import dev.toolgate.core.tool.Alias;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import dev.toolgate.core.undo.KeptChanges;
import dev.toolgate.runtime.sandbox.files.OpenFile;
import dev.toolgate.runtime.sandbox.files.WorkspaceFile;
import dev.toolgate.runtime.workspace.Workspaces;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Deletes a single file; folders are refused, so nothing is ever deleted recursively. */
public final class FileDeleteTool implements Tool<FileDeleteTool.Arguments> {
    private static final ToolSpec<Arguments> SPEC = ToolSpec.of(
                    "file_delete", Arguments.class, Category.FILE, "File.Delete", "Delete a file at the given path")
            .dangerous()
            .returning(Result.class)
            .alsoKnownAs(Alias.runtime("DeleteFile").requiringAbsolute("path"));

    private static final int PREVIEW_BYTES = 1024;

    private final FileChanges files;
    private final FileUndoTool undo;

    public FileDeleteTool(Workspaces workspaces, WriteTracker tracker) {
        this(new FileChanges(workspaces, tracker, KeptChanges.NONE));
    }

    public FileDeleteTool(FileChanges files) {
        this.files = files;
        this.undo = new FileUndoTool(SPEC, files);
    }

    /** The arguments. */
    public record Arguments(
            @Param(
                    value = "File path to delete, absolute or relative to the project root",
                    minLength = 1,
                    touches = Touch.PATH)
            String path) {}

    /** The result. */
    public record Result(String message) {}

    @Override
    public ToolSpec<Arguments> spec() {
        return SPEC;
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) throws ToolFailure, InterruptedException {
        try (TrackedChanges changes = files.in(context)) {
            WorkspaceFile file = changes.locate(arguments.path(), context);
            changes.make(SPEC.name(), arguments.path(), file, new Snapshot.Absent(), WorkspaceFile::delete, context);
        }
        String message = "Deleted " + arguments.path();
        return Output.of(message, new Result(message));
    }

    @Override
    public Optional<Tool<?>> undo() {
        return Optional.of(undo);
    }

    @Override
    public Optional<String> preview(Arguments arguments, ToolContext context) throws ToolFailure, InterruptedException {
        try (TrackedChanges changes = files.in(context);
                OpenFile open = changes.locate(arguments.path(), context).open()) {
            byte[] head = Bytes.read(open.channel(), PREVIEW_BYTES);
            String about = "Deletes " + VisibleText.line(arguments.path()) + ", " + open.size() + " bytes";
            if (TextEncoding.isBinary(head)) {
                return Optional.of(about + " (binary)");
            }
            int end = open.size() > head.length ? HeadTail.startOfCharacter(head, head.length - 1) : head.length;
            String beginning = new String(head, 0, end, StandardCharsets.UTF_8);
            return Optional.of(
                    about + (beginning.isEmpty() ? "" : ", which begins:\n" + VisibleText.indented(beginning)));
        } catch (IOException trouble) {
            return Optional.of("Deletes " + VisibleText.line(arguments.path()) + ", whose content cannot be shown");
        }
    }
}
