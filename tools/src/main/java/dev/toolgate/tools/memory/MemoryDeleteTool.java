package dev.toolgate.tools.memory;

import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.memory.Memory;
import dev.toolgate.core.output.HeadTail;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import dev.toolgate.core.undo.KeptChange;
import dev.toolgate.core.undo.KeptChanges;
import dev.toolgate.core.undo.Subject;
import java.time.Duration;
import java.util.Optional;

/** {@code memory_delete}: deletes the value of a key. */
public final class MemoryDeleteTool implements Tool<MemoryDeleteTool.Arguments> {
    private static final int PREVIEW_BYTES = 2000;

    private static final ToolSpec<Arguments> SPEC = ToolSpec.of(
                    "memory_delete",
                    Arguments.class,
                    Category.MEMORY,
                    "Memory.Write",
                    "Delete the value saved under a key")
            .dangerous()
            .returning(Result.class)
            .within(Duration.ofSeconds(10));

    private static final int MAX_ATTEMPTS = 5;

    private final Memory memory;
    private final KeptChanges kept;
    private final MemoryUndoTool undo;

    /** Without keeping what is needed to undo a change. */
    public MemoryDeleteTool(Memory memory) {
        this(memory, MemoryLimits.standard(), KeptChanges.NONE);
    }

    /**
     * @param limits for an item that is restored
     * @param kept keeps what is needed to undo a change
     */
    public MemoryDeleteTool(Memory memory, MemoryLimits limits, KeptChanges kept) {
        this.memory = memory;
        this.kept = kept;
        this.undo = new MemoryUndoTool(SPEC, memory, limits, kept);
    }

    /** The arguments. */
    public record Arguments(
            @Param(value = "The exact key", minLength = 1) String key) {}

    /** The result. */
    public record Result(String message) {}

    @Override
    public ToolSpec<Arguments> spec() {
        return SPEC;
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) throws ToolFailure {
        String key = MemoryText.name("key", arguments.key());
        if (!(kept.isEnabled() ? deleteKeeping(key, context) : delete(key, context))) {
            throw new ToolFailure(
                    ErrorCode.KEY_NOT_FOUND,
                    "There is no value for the key '" + key + "'; list the existing keys with memory_retrieve");
        }
        return Output.of("Memory deleted", new Result("Memory deleted"));
    }

    private boolean delete(String key, ToolContext context) {
        return memory.delete(
                context.call().caller().tenant(), context.call().caller().agent(), key);
    }

    // Records exactly the item that was deleted, even if other calls save the key concurrently.
    private boolean deleteKeeping(String key, ToolContext context) {
        Caller caller = context.call().caller();
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            Optional<Memory.Item> found =
                    memory.find(caller.tenant(), caller.agent(), Memory.Criteria.key(key)).stream()
                            .map(Memory.StoredItem::item)
                            .findFirst();
            if (found.isEmpty()) {
                return false;
            }
            if (memory.replace(caller.tenant(), caller.agent(), key, found.get(), null, Integer.MAX_VALUE)) {
                KeptChanges.Entry _ = kept.keep(
                        context.call(),
                        new KeptChange(
                                SPEC.name(),
                                Subject.MEMORY,
                                key,
                                key,
                                new KeptChange.Kept(ItemState.of(found.get()), ItemState.of(null))));
                return true;
            }
        }
        return delete(key, context);
    }

    @Override
    public Optional<Tool<?>> undo() {
        return Optional.of(undo);
    }

    @Override
    public Optional<String> preview(Arguments arguments, ToolContext context) throws ToolFailure {
        Caller caller = context.call().caller();
        Memory.Criteria criteria = Memory.Criteria.key(MemoryText.name("key", arguments.key()));
        return memory.find(caller.tenant(), caller.agent(), criteria).stream()
                .findFirst()
                .map(kept -> "Delete " + kept.item().key() + ": "
                        + HeadTail.fit(kept.item().value(), PREVIEW_BYTES));
    }
}
