package dev.toolgate.tools.memory;

import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.memory.Memory;
import dev.toolgate.core.memory.Memory.Item;
import dev.toolgate.core.memory.Memory.StoredItem;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** {@code memory_save}: saves a text under a key, replacing an existing one. */
public final class MemorySaveTool implements Tool<MemorySaveTool.Arguments> {
    private static final ToolSpec<Arguments> SPEC = ToolSpec.of(
                    "memory_save",
                    Arguments.class,
                    Category.MEMORY,
                    "Memory.Write",
                    "Save a text under a key for later calls; replaces an existing value")
            .changing()
            .returning(Result.class)
            .within(Duration.ofSeconds(10));

    private final Memory memory;
    private final MemoryLimits limits;
    private final KeptChanges kept;
    private final MemoryUndoTool undo;

    /** Without keeping what is needed to undo a change. */
    public MemorySaveTool(Memory memory, MemoryLimits limits) {
        this(memory, limits, KeptChanges.NONE);
    }

    /**
     * @param kept keeps what is needed to undo a change
     */
    public MemorySaveTool(Memory memory, MemoryLimits limits, KeptChanges kept) {
        this.memory = memory;
        this.limits = limits;
        this.kept = kept;
        this.undo = new MemoryUndoTool(SPEC, memory, limits, kept);
    }

    /** The arguments. */
    public record Arguments(
            @Param(value = "The key to find it by, for example project/plan", minLength = 1)
            String key,

            @Param("The text to save") String value,

            @Param("Tags by which it can be retrieved") @Nullable
            List<String> tags) {}

    /** The result. */
    public record Result(String message) {}

    @Override
    public ToolSpec<Arguments> spec() {
        return SPEC;
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) throws ToolFailure {
        Item item = new Item(
                MemoryText.name("key", arguments.key()),
                MemoryText.value(arguments.value(), limits.valueBytes()),
                MemoryText.tags(arguments.tags()));
        Caller caller = context.call().caller();
        StoredItem before = kept.isEnabled()
                ? memory.find(caller.tenant(), caller.agent(), Memory.Criteria.key(item.key())).stream()
                        .findFirst()
                        .orElse(null)
                : null;
        OptionalLong version = memory.save(caller.tenant(), caller.agent(), item, limits.items());
        if (version.isEmpty()) {
            throw new ToolFailure(
                    ErrorCode.TOOL_EXECUTION_FAILED,
                    "The memory is full: agent '" + caller.agent() + "' may have " + limits.items()
                            + " items; delete some with memory_delete, or overwrite an existing key");
        }
        if (kept.isEnabled()) {
            KeptChanges.Entry _ = kept.keep(context.call(), change(item, before, version.getAsLong()));
        }
        return Output.of("Memory saved", new Result("Memory saved")).with(Map.of("version", version.getAsLong()));
    }

    // The version shows whether another call has saved the key in between; then the previous item is unknown.
    private static KeptChange change(Item item, @Nullable StoredItem before, long version) {
        boolean certain = version == (before == null ? 1 : before.version() + 1);
        return new KeptChange(
                SPEC.name(),
                Subject.MEMORY,
                item.key(),
                item.key(),
                certain
                        ? new KeptChange.Kept(ItemState.of(before == null ? null : before.item()), ItemState.of(item))
                        : new KeptChange.NotKept("Another call saved the same key at the same time"));
    }

    @Override
    public Optional<Tool<?>> undo() {
        return Optional.of(undo);
    }
}
