package dev.toolgate.tools.memory;

import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.memory.Memory;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** {@code memory_save}: remembers a text under a key; the last one saved under it stays. */
public final class MemorySaveTool implements Tool<MemorySaveTool.Arguments> {
    private static final ToolSpec<Arguments> SPEC = ToolSpec.of(
                    "memory_save",
                    Arguments.class,
                    Category.MEMORY,
                    "Memory.Write",
                    "Remember a text under a key, for later calls; replaces what was saved under the key before")
            .changing()
            .returning(Result.class)
            .within(Duration.ofSeconds(10));

    private final Memory memory;
    private final MemoryLimits limits;

    public MemorySaveTool(Memory memory, MemoryLimits limits) {
        this.memory = memory;
        this.limits = limits;
    }

    /** What to remember. */
    public record Arguments(
            @Param(value = "The key to find it by, for example project/plan", minLength = 1)
            String key,

            @Param("The text to remember") String value,

            @Param("Words to sort it by; it can be retrieved by any of them") @Nullable
            List<String> tags) {}

    /** That it is remembered. */
    public record Result(String message) {}

    @Override
    public ToolSpec<Arguments> spec() {
        return SPEC;
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) throws ToolFailure {
        Memory.Item item = new Memory.Item(
                MemoryText.name("key", arguments.key()),
                MemoryText.value(arguments.value(), limits.valueBytes()),
                MemoryText.tags(arguments.tags()));
        Caller caller = context.call().caller();
        OptionalLong version = memory.save(caller.tenant(), caller.agent(), item, limits.items());
        if (version.isEmpty()) {
            throw new ToolFailure(
                    ErrorCode.TOOL_EXECUTION_FAILED,
                    "The memory is full: agent '" + caller.agent() + "' may have " + limits.items()
                            + " items; delete some with memory_delete, or save under a key that is there already");
        }
        return Output.of("Memory saved", new Result("Memory saved")).with(Map.of("version", version.getAsLong()));
    }
}
