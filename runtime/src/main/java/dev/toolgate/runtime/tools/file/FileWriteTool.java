package dev.toolgate.runtime.tools.file;

import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Content;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
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
import dev.toolgate.runtime.output.ArtifactRule;
import dev.toolgate.runtime.sandbox.files.Parents;
import dev.toolgate.runtime.sandbox.files.SizeLimit;
import dev.toolgate.runtime.sandbox.files.WorkspaceFile;
import dev.toolgate.runtime.workspace.Workspaces;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Creates or overwrites a file atomically, and attaches a diff of the change. */
public final class FileWriteTool implements Tool<FileWriteTool.Arguments> {
    private static final ToolSpec<Arguments> SPEC = ToolSpec.of(
                    "file_write",
                    Arguments.class,
                    Category.FILE,
                    "File.Write",
                    "Create or overwrite a file with the given content")
            .dangerous()
            .returning(Result.class)
            .alsoKnownAs(Alias.runtime("WriteFile").requiringAbsolute("path"), Alias.web("writeFile"));

    // Fixed by the documented API for web front ends; the number of bytes is in the text.
    private static final String WRITTEN = "File written successfully";

    private final FileChanges files;
    private final FileUndoTool undo;

    public FileWriteTool(Workspaces workspaces, WriteTracker tracker) {
        this(new FileChanges(workspaces, tracker, KeptChanges.NONE));
    }

    public FileWriteTool(FileChanges files) {
        this.files = files;
        this.undo = new FileUndoTool(SPEC, files);
    }

    /** The arguments. */
    public record Arguments(
            @Param(
                    value = "File path to write, absolute or relative to the project root",
                    minLength = 1,
                    touches = Touch.PATH)
            String path,

            @Param("File content to write") String content,

            @Param(value = "Create parent directories if they don't exist", defaultValue = "true") @Nullable
            Boolean createDirectories) {
        Parents parents() {
            return Boolean.FALSE.equals(createDirectories) ? Parents.REQUIRE : Parents.CREATE;
        }
    }

    /** The result. */
    public record Result(String message) {}

    @Override
    public ToolSpec<Arguments> spec() {
        return SPEC;
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) throws ToolFailure, InterruptedException {
        byte[] content = encode(arguments.content());
        try (TrackedChanges changes = files.in(context)) {
            WorkspaceFile file = changes.locate(arguments.path(), context);
            SizeLimit.check(content.length, arguments.path(), context.bounds());
            Snapshot after = Snapshot.of(content);
            Snapshot before = changes.make(
                    SPEC.name(),
                    arguments.path(),
                    file,
                    after,
                    located -> located.write(content, arguments.parents()),
                    context);
            String message = "Wrote " + content.length + " bytes to " + arguments.path();
            return Output.of(message, new Result(WRITTEN))
                    .with(Map.of("bytes", content.length))
                    .withArtifacts(artifacts(file, UnifiedDiff.between(file.relative(), before, after)));
        }
    }

    @Override
    public Optional<Tool<?>> undo() {
        return Optional.of(undo);
    }

    @Override
    public Optional<String> preview(Arguments arguments, ToolContext context) throws ToolFailure, InterruptedException {
        byte[] content = encode(arguments.content());
        try (TrackedChanges changes = files.in(context)) {
            WorkspaceFile file = changes.locate(arguments.path(), context);
            SizeLimit.check(content.length, arguments.path(), context.bounds());
            String name = VisibleText.line(file.relative());
            String diff = UnifiedDiff.between(name, Snapshot.of(file), Snapshot.of(content));
            return Optional.of(diff.isEmpty() ? "The file already has this content." : diff);
        }
    }

    private static List<Artifact> artifacts(WorkspaceFile file, String diff) {
        return diff.isEmpty()
                ? List.of()
                : List.of(ArtifactRule.FILE_DIFF.keep(file.relative() + ".diff", Content.of(diff)));
    }

    private static byte[] encode(String content) throws ToolFailure {
        try {
            ByteBuffer bytes = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(content));
            byte[] exact = new byte[bytes.remaining()];
            bytes.get(exact);
            return exact;
        } catch (CharacterCodingException unpairedSurrogate) {
            throw new ToolFailure(ErrorCode.INVALID_REQUEST, "Field 'content' contains an unpaired surrogate");
        }
    }
}
