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
import java.time.Duration;
import java.util.Optional;

/** {@code memory_delete}: forgets what was saved under a key. */
public final class MemoryDeleteTool implements Tool<MemoryDeleteTool.Arguments> {
    private static final int PREVIEW_BYTES = 2000;

    private static final ToolSpec<Arguments> SPEC = ToolSpec.of(
                    "memory_delete",
                    Arguments.class,
                    Category.MEMORY,
                    "Memory.Write",
                    "Forget what was remembered under a key")
            .dangerous()
            .returning(Result.class)
            .within(Duration.ofSeconds(10));

    private final Memory memory;

    public MemoryDeleteTool(Memory memory) {
        this.memory = memory;
    }

    /** What to forget. */
    public record Arguments(
            @Param(value = "The exact key", minLength = 1) String key) {}

    /** That it is forgotten. */
    public record Result(String message) {}

    @Override
    public ToolSpec<Arguments> spec() {
        return SPEC;
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) throws ToolFailure {
        String key = MemoryText.name("key", arguments.key());
        Caller caller = context.call().caller();
        if (!memory.delete(caller.tenant(), caller.agent(), key)) {
            throw new ToolFailure(
                    ErrorCode.KEY_NOT_FOUND,
                    "Nothing is remembered under the key '" + key + "'; memory_retrieve shows the keys there are");
        }
        return Output.of("Memory deleted", new Result("Memory deleted"));
    }

    @Override
    public Optional<String> preview(Arguments arguments, ToolContext context) throws ToolFailure {
        Caller caller = context.call().caller();
        Memory.Question question = Memory.Question.key(MemoryText.name("key", arguments.key()));
        return memory.find(caller.tenant(), caller.agent(), question).stream()
                .findFirst()
                .map(kept -> "Forget " + kept.item().key() + ": "
                        + HeadTail.fit(kept.item().value(), PREVIEW_BYTES));
    }
}
