package dev.toolgate.tools.memory;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.memory.Memory;
import dev.toolgate.core.memory.Memory.Kept;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** {@code memory_retrieve}: what was remembered, by key, by how keys begin, by tags, by words, or all of it. */
public final class MemoryRetrieveTool implements Tool<MemoryRetrieveTool.Arguments> {
    private static final int USUAL_LIMIT = 20;
    private static final int MOST = 100;
    private static final int LONGEST_QUERY = 1000;

    private static final ToolSpec<Arguments> SPEC = ToolSpec.of(
                    "memory_retrieve",
                    Arguments.class,
                    Category.MEMORY,
                    "Memory.Read",
                    "Get back what was remembered, the latest first; what is given must all match,"
                            + " and without arguments everything does")
            .returning(Result.class)
            .within(Duration.ofSeconds(10));

    private final Memory memory;

    public MemoryRetrieveTool(Memory memory) {
        this.memory = memory;
    }

    /** What is wanted. */
    public record Arguments(
            @Param(value = "The exact key", minLength = 1) @Nullable
            String key,

            @Param("Tags that it must all have") @Nullable List<String> tags,

            @Param(value = "How the key begins, for example project/", minLength = 1)
            @JsonProperty("key_prefix")
            @Nullable
            String keyPrefix,

            @Param(value = "Words that the key or the text must contain, or words that begin like them", minLength = 1)
            @Nullable
            String query,

            @Param(value = "Maximum number of items to return", min = 1, max = MOST, initial = "20") @Nullable
            Integer limit) {}

    /** What was found. */
    public record Result(List<Item> items) {}

    /** One item. */
    public record Item(String key, String value, List<String> tags) {}

    @Override
    public ToolSpec<Arguments> spec() {
        return SPEC;
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) throws ToolFailure {
        Caller caller = context.call().caller();
        List<Kept> found = memory.find(caller.tenant(), caller.agent(), question(arguments));
        List<Kept> shown = fitting(found, context.maxOutputBytesOr(ToolContext.USUAL_OUTPUT_BYTES));
        Map<String, Long> versions = new LinkedHashMap<>();
        shown.forEach(kept -> versions.put(kept.item().key(), kept.version()));
        return Output.of(
                        text(found, shown),
                        new Result(shown.stream()
                                .map(Kept::item)
                                .map(item -> new Item(item.key(), item.value(), item.tags()))
                                .toList()))
                .with(Map.of(
                        "resultCount", shown.size(), "truncated", shown.size() < found.size(), "versions", versions));
    }

    private static Memory.Question question(Arguments arguments) throws ToolFailure {
        if (arguments.query() != null && arguments.query().length() > LONGEST_QUERY) {
            throw MemoryText.invalid("Field 'query' must have at most " + LONGEST_QUERY + " characters");
        }
        return new Memory.Question(
                arguments.key() == null ? null : MemoryText.name("key", arguments.key()),
                arguments.keyPrefix() == null ? null : MemoryText.name("key_prefix", arguments.keyPrefix()),
                MemoryText.tags(arguments.tags()),
                arguments.query(),
                arguments.limit() == null ? USUAL_LIMIT : arguments.limit());
    }

    // Whole items only, and one at least.
    private static List<Kept> fitting(List<Kept> found, int mostBytes) {
        long bytes = 0;
        for (int i = 0; i < found.size(); i++) {
            bytes += line(found.get(i)).getBytes(StandardCharsets.UTF_8).length + 1;
            if (i > 0 && bytes > mostBytes) {
                return found.subList(0, i);
            }
        }
        return found;
    }

    private static String text(List<Kept> found, List<Kept> shown) {
        if (found.isEmpty()) {
            return "Nothing that matches is remembered.";
        }
        String lines = shown.stream().map(MemoryRetrieveTool::line).collect(Collectors.joining("\n"));
        return shown.size() == found.size()
                ? lines
                : lines + "\n[Showing " + shown.size() + " of " + found.size() + " items; ask for fewer at a time]";
    }

    private static String line(Kept kept) {
        Memory.Item item = kept.item();
        return item.key() + (item.tags().isEmpty() ? "" : " [" + String.join(", ", item.tags()) + "]") + ": "
                + item.value();
    }
}
