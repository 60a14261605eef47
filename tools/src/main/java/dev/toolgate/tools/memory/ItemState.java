package dev.toolgate.tools.memory;

import dev.toolgate.core.json.Json;
import dev.toolgate.core.memory.Memory.Item;
import dev.toolgate.core.undo.KeptState;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Converts a memory item to a recorded state, and to lines for a diff. */
final class ItemState {
    private ItemState() {}

    static KeptState of(@Nullable Item item) {
        if (item == null) {
            return new KeptState.Absent();
        }
        ObjectNode node = Json.MAPPER.createObjectNode().put("value", item.value());
        node.set("tags", Json.MAPPER.valueToTree(item.tags()));
        return new KeptState.Present(node.toString().getBytes(StandardCharsets.UTF_8), 0);
    }

    static @Nullable Item item(String key, KeptState state) {
        if (!(state instanceof KeptState.Present(byte[] content, int _))) {
            return null;
        }
        JsonNode node = Json.MAPPER.readTree(new String(content, StandardCharsets.UTF_8));
        List<String> tags = new ArrayList<>();
        node.path("tags").forEach(tag -> tags.add(tag.stringValue()));
        return new Item(key, node.path("value").stringValue(), tags);
    }

    /** The tags in the first line, if there are any, and then the value. */
    static KeptState lines(String key, KeptState state) {
        Item item = item(key, state);
        if (item == null) {
            return state;
        }
        String tags = item.tags().isEmpty() ? "" : "tags: " + String.join(", ", item.tags()) + "\n";
        return new KeptState.Present((tags + item.value() + "\n").getBytes(StandardCharsets.UTF_8), 0);
    }
}
