package dev.toolgate.tools.memory;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.memory.Memory;
import dev.toolgate.core.memory.Memory.StoredItem;
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

/** {@code memory_retrieve}: finds saved values by key, key prefix, tags or words, or lists all. */
public final class MemoryRetrieveTool implements Tool<MemoryRetrieveTool.Arguments> {
    private static final int DEFAULT_LIMIT = 20;
    private static final int MAX_LIMIT = 100;
    private static final int MAX_QUERY_LENGTH = 1000;

    private static final ToolSpec<Arguments> SPEC = ToolSpec.of(
                    "memory_retrieve",
                    Arguments.class,
                    Category.MEMORY,
                    "Memory.Read",
                    "Retrieve saved items, newest first; an item must match all given arguments, and without"
                            + " arguments all are returned")
            .returning(Result.class)
            .within(Duration.ofSeconds(10));

    private final Memory memory;

    public MemoryRetrieveTool(Memory memory) {
        this.memory = memory;
    }

    /** The arguments. */
    public record Arguments(
            @Param(value = "The exact key", minLength = 1) @Nullable
            String key,

            @Param("Tags that an item must all have") @Nullable
            List<String> tags,

            @Param(value = "Prefix of the key, for example project/", minLength = 1)
            @JsonProperty("key_prefix")
            @Nullable
            String keyPrefix,

            @Param(
                    value = "Words that must occur in the key or the text; the beginning of a word matches too",
                    minLength = 1)
            @Nullable
            String query,

            @Param(value = "Maximum number of items to return", min = 1, max = MAX_LIMIT, defaultValue = "20") @Nullable
            Integer limit) {}

    /** The result. */
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
        List<StoredItem> found = memory.find(caller.tenant(), caller.agent(), criteria(arguments));
        List<StoredItem> shown = fitting(found, context.maxOutputBytesOr(ToolContext.DEFAULT_OUTPUT_BYTES));
        Map<String, Long> versions = new LinkedHashMap<>();
        shown.forEach(kept -> versions.put(kept.item().key(), kept.version()));
        return Output.of(
                        text(found, shown),
                        new Result(shown.stream()
                                .map(StoredItem::item)
                                .map(item -> new Item(item.key(), item.value(), item.tags()))
                                .toList()))
                .with(Map.of(
                        "resultCount", shown.size(), "truncated", shown.size() < found.size(), "versions", versions));
    }

    private static Memory.Criteria criteria(Arguments arguments) throws ToolFailure {
        if (arguments.query() != null && arguments.query().length() > MAX_QUERY_LENGTH) {
            throw MemoryText.invalid("Field 'query' must have at most " + MAX_QUERY_LENGTH + " characters");
        }
        return new Memory.Criteria(
                arguments.key() == null ? null : MemoryText.name("key", arguments.key()),
                arguments.keyPrefix() == null ? null : MemoryText.name("key_prefix", arguments.keyPrefix()),
                MemoryText.tags(arguments.tags()),
                arguments.query(),
                arguments.limit() == null ? DEFAULT_LIMIT : arguments.limit());
    }

    // Whole items only, and at least one.
    private static List<StoredItem> fitting(List<StoredItem> found, int maxBytes) {
        long bytes = 0;
        for (int i = 0; i < found.size(); i++) {
            bytes += line(found.get(i)).getBytes(StandardCharsets.UTF_8).length + 1;
            if (i > 0 && bytes > maxBytes) {
                return found.subList(0, i);
            }
        }
        return found;
    }

    private static String text(List<StoredItem> found, List<StoredItem> shown) {
        if (found.isEmpty()) {
            return "There are no matching items.";
        }
        String lines = shown.stream().map(MemoryRetrieveTool::line).collect(Collectors.joining("\n"));
        return shown.size() == found.size()
                ? lines
                : lines + "\n[Showing " + shown.size() + " of " + found.size() + " items; retrieve fewer at a time]";
    }

    private static String line(StoredItem kept) {
        Memory.Item item = kept.item();
        return item.key() + (item.tags().isEmpty() ? "" : " [" + String.join(", ", item.tags()) + "]") + ": "
                + item.value();
    }
}
