package dev.toolgate.runtime.tools.file;

import dev.toolgate.core.call.Output;
import dev.toolgate.core.output.VisibleText;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.schema.Touch;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import dev.toolgate.core.undo.KeptChange;
import dev.toolgate.core.undo.KeptState;
import dev.toolgate.core.undo.ThreeWayComparison;
import dev.toolgate.core.undo.ThreeWayComparison.Standing;
import dev.toolgate.core.undo.UndoTool;
import dev.toolgate.runtime.sandbox.files.FileSwap;
import dev.toolgate.runtime.sandbox.files.SizeLimit;
import dev.toolgate.runtime.sandbox.files.WorkspaceFile;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Undoes a call of {@code file_write} or {@code file_delete}, if the file has not changed since. */
final class FileUndoTool implements UndoTool<FileUndoTool.Arguments> {
    private final ToolSpec<Arguments> spec;
    private final FileChanges files;

    /**
     * @param original the tool to undo, whose name, category and capability it shares
     */
    FileUndoTool(ToolSpec<?> original, FileChanges files) {
        this.spec = ToolSpec.of(
                        original.name(),
                        Arguments.class,
                        original.category(),
                        original.capability(),
                        "Restore a file to its state before a recorded call")
                .dangerous()
                .returning(Result.class);
        this.files = files;
    }

    /** The arguments. */
    public record Arguments(
            @Param(value = "The file", minLength = 1, touches = Touch.PATH)
            String path,

            @Param(value = "The URI of its recorded former state", minLength = 1)
            String kept,

            @Param("The reason") @Nullable String reason) {}

    /** The result. */
    public record Result(String message) {}

    @Override
    public ToolSpec<Arguments> spec() {
        return spec;
    }

    @Override
    public Optional<Tool<?>> undo() {
        return Optional.of(this);
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) throws ToolFailure, InterruptedException {
        String path = arguments.path();
        KeptChange change = UndoTool.find(files.kept(), context, arguments.kept(), spec.name(), path);
        try (TrackedChanges changes = files.in(context)) {
            WorkspaceFile file = changes.locate(path, context);
            KeptChange.Kept states = change.kept();
            SizeLimit.check(states.before().size(), path, context.bounds());
            Snapshot _ = changes.make(
                    spec.name(),
                    path,
                    file,
                    Snapshot.of(states.before()),
                    located -> swap(located, change, states),
                    context);
            String message = states.before() instanceof KeptState.Present before
                    ? "Restored " + before.content().length + " bytes of " + path
                    : "Deleted " + path + ", which the call had created";
            return Output.of(message, new Result(message));
        }
    }

    private static void swap(WorkspaceFile file, KeptChange change, KeptChange.Kept states)
            throws ToolFailure, InterruptedException {
        FileSwap swap =
                new FileSwap(change.place(), content(states.after()), content(states.before()), mode(states.before()));
        if (!file.swap(swap)) {
            Standing standing = compare(file, change).standing();
            throw UndoTool.refused(standing == Standing.UNCHANGED ? Standing.CHANGED : standing, change.target());
        }
    }

    @Override
    public Optional<String> preview(Arguments arguments, ToolContext context) throws ToolFailure, InterruptedException {
        KeptChange change = UndoTool.find(files.kept(), context, arguments.kept(), spec.name(), arguments.path());
        return Optional.of(compare(change, context).preview(VisibleText.line(change.target())));
    }

    @Override
    public ThreeWayComparison compare(KeptChange change, ToolContext context) throws ToolFailure, InterruptedException {
        try (TrackedChanges changes = files.in(context)) {
            return compare(changes.locate(change.target(), context), change);
        }
    }

    private static ThreeWayComparison compare(WorkspaceFile file, KeptChange change)
            throws ToolFailure, InterruptedException {
        KeptChange.Kept states = change.kept();
        String name = VisibleText.line(file.relative());
        String made = UnifiedDiff.between(name, states.before(), states.after());
        if (!file.place().equals(change.place())) {
            return new ThreeWayComparison(Standing.ELSEWHERE, "", made, "");
        }
        Snapshot now = Snapshot.of(file);
        return new ThreeWayComparison(
                standing(now, change),
                UnifiedDiff.between(name, now, Snapshot.of(states.before())),
                made,
                UnifiedDiff.between(name, Snapshot.of(states.after()), now));
    }

    private static Standing standing(Snapshot now, KeptChange change) {
        return now instanceof Snapshot.NotHeld ? Standing.CHANGED : Standing.of(change, TrackedChanges.state(now));
    }

    private static byte @Nullable [] content(KeptState state) {
        return state instanceof KeptState.Present(byte[] content, int mode) ? content : null;
    }

    private static int mode(KeptState state) {
        return state instanceof KeptState.Present(byte[] content, int mode) ? mode : 0;
    }
}
