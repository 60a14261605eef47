package dev.toolgate.tools.memory;

import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.memory.Memory;
import dev.toolgate.core.memory.Memory.Item;
import dev.toolgate.core.output.VisibleText;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.tool.Danger;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import dev.toolgate.core.undo.KeptChange;
import dev.toolgate.core.undo.KeptChanges;
import dev.toolgate.core.undo.KeptState;
import dev.toolgate.core.undo.ThreeWayComparison;
import dev.toolgate.core.undo.ThreeWayComparison.Standing;
import dev.toolgate.core.undo.UndoTool;
import dev.toolgate.runtime.tools.file.UnifiedDiff;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Undoes a call of {@code memory_save} or {@code memory_delete}, if the item has not changed since. */
final class MemoryUndoTool implements UndoTool<MemoryUndoTool.Arguments> {
    private final ToolSpec<Arguments> spec;
    private final Memory memory;
    private final MemoryLimits limits;
    private final KeptChanges kept;

    /**
     * @param original the tool to undo, whose name, category and capability it shares
     */
    MemoryUndoTool(ToolSpec<?> original, Memory memory, MemoryLimits limits, KeptChanges kept) {
        ToolSpec<Arguments> changing = ToolSpec.of(
                        original.name(),
                        Arguments.class,
                        original.category(),
                        original.capability(),
                        "Restore an item to its state before a recorded call")
                .changing()
                .returning(Result.class)
                .within(original.timeLimit());
        this.spec = original.danger() == Danger.DANGEROUS ? changing.dangerous() : changing;
        this.memory = memory;
        this.limits = limits;
        this.kept = kept;
    }

    /** The arguments. */
    public record Arguments(
            @Param(value = "The key", minLength = 1) String key,

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
    public Output call(Arguments arguments, ToolContext context) throws ToolFailure {
        String key = arguments.key();
        KeptChange change = UndoTool.find(kept, context, arguments.kept(), spec.name(), key);
        KeptChange.Kept states = change.kept();
        Item wanted = ItemState.item(key, states.before());
        Item expected = ItemState.item(key, states.after());
        Caller caller = context.call().caller();
        if (!memory.replace(caller.tenant(), caller.agent(), key, expected, wanted, limits.items())) {
            throw refused(change, context);
        }
        KeptChanges.Entry _ = kept.keep(
                context.call(),
                new KeptChange(
                        spec.name(),
                        change.subject(),
                        key,
                        change.place(),
                        new KeptChange.Kept(states.after(), states.before())));
        String message = wanted == null ? "Deleted '" + key + "', which the call had saved" : "Restored '" + key + "'";
        return Output.of(message, new Result(message));
    }

    private ToolFailure refused(KeptChange change, ToolContext context) {
        Standing standing = compare(change, context).standing();
        return standing == Standing.UNCHANGED
                ? new ToolFailure(
                        ErrorCode.TOOL_EXECUTION_FAILED,
                        "The memory is full: agent '" + context.call().caller().agent() + "' may have " + limits.items()
                                + " items; delete some with memory_delete")
                : UndoTool.refused(standing, change.target());
    }

    @Override
    public Optional<String> preview(Arguments arguments, ToolContext context) throws ToolFailure {
        KeptChange change = UndoTool.find(kept, context, arguments.kept(), spec.name(), arguments.key());
        return Optional.of(compare(change, context).preview(VisibleText.line(change.target())));
    }

    @Override
    public ThreeWayComparison compare(KeptChange change, ToolContext context) {
        KeptChange.Kept states = change.kept();
        String key = change.target();
        Caller caller = context.call().caller();
        KeptState now = ItemState.of(memory.find(caller.tenant(), caller.agent(), Memory.Criteria.key(key)).stream()
                .map(Memory.StoredItem::item)
                .findFirst()
                .orElse(null));
        return new ThreeWayComparison(
                Standing.of(change, now),
                difference(key, now, states.before()),
                difference(key, states.before(), states.after()),
                difference(key, states.after(), now));
    }

    private static String difference(String key, KeptState from, KeptState to) {
        return UnifiedDiff.between(key, ItemState.lines(key, from), ItemState.lines(key, to));
    }
}
