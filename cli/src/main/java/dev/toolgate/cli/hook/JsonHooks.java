package dev.toolgate.cli.hook;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Settings in JSON, with or without comments, whose object {@code hooks} has a list for each event. Adds our entry to
 * such a list, or removes it. The rest of the text, formatting included, stays unchanged; adding and then removing an
 * entry restores the original text.
 */
final class JsonHooks {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS, JsonReadFeature.ALLOW_TRAILING_COMMA)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS, DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    private static final String HOOKS = "hooks";

    private final String text;
    private final Predicate<JsonNode> isOurs;

    private JsonHooks(String text, Predicate<JsonNode> isOurs) {
        this.text = text;
        this.isOurs = isOurs;
    }

    /** A member of an object or an element of an array, with its offsets in the text. */
    private record Item(@Nullable String name, int from, int valueFrom, int to) {}

    /** An object or an array: the offset of its content, its items, and the offset of its closing bracket. */
    private record Container(int begin, List<Item> items, int end) {
        @Nullable
        Item named(String name) {
            return items.stream()
                    .filter(item -> name.equals(item.name))
                    .reduce((_, last) -> last)
                    .orElse(null);
        }
    }

    /**
     * Puts an entry into the list of an event, replacing an earlier entry of ours.
     *
     * @param empty the settings if there are none
     * @throws IOException if the settings do not have this structure
     */
    static String put(String text, String event, ObjectNode entry, Predicate<JsonNode> isOurs, ObjectNode empty)
            throws IOException {
        String begun = text.isBlank() ? pretty(empty, 0) + "\n" : text;
        return checked(begun, event, isOurs, hooks -> hooks.put(event, entry));
    }

    /**
     * Removes our entry from the list of an event, and then the list and the object {@code hooks} if they are empty.
     */
    static String remove(String text, String event, Predicate<JsonNode> isOurs) throws IOException {
        return text.isBlank() ? text : checked(text, event, isOurs, hooks -> hooks.remove(event));
    }

    /** The index of our entry in the list of an event; -1 if it is missing. */
    static int index(String text, String event, Predicate<JsonNode> isOurs) throws IOException {
        return text.isBlank() ? -1 : new JsonHooks(text, isOurs).position(event);
    }

    /** Our entry in the list of an event; a missing node if there is none. */
    static JsonNode entry(String text, String event, Predicate<JsonNode> isOurs) throws IOException {
        JsonNode list = text.isBlank()
                ? MAPPER.createObjectNode()
                : read(text).path(HOOKS).path(event);
        return list.path(index(text, event, isOurs));
    }

    /** Whether the settings are empty: no member, or only those of {@code empty}. */
    static boolean isEmpty(String text, ObjectNode empty) {
        return text.replaceAll("\\s", "").equals("{}")
                || text.replaceAll("\\s", "").equals(empty.toString());
    }

    private interface Edit {
        String of(JsonHooks hooks) throws IOException;
    }

    private static String checked(String text, String event, Predicate<JsonNode> isOurs, Edit edit) throws IOException {
        try {
            JsonNode before = read(text);
            String after = edit.of(new JsonHooks(text, isOurs));
            // The edit by offsets is verified by parsing the result: nothing but our entries may differ.
            if (!rest(before, event, isOurs).equals(rest(read(after), event, isOurs))) {
                throw new IOException("it cannot be changed without changing other settings");
            }
            return after;
        } catch (JacksonException malformed) {
            throw new IOException("it is not valid JSON (" + malformed.getOriginalMessage() + ")", malformed);
        }
    }

    private static JsonNode read(String text) throws IOException {
        try {
            JsonNode all = MAPPER.readTree(text);
            JsonNode hooks = all.path(HOOKS);
            if (!all.isObject() || !(hooks.isMissingNode() || hooks.isObject())) {
                throw new IOException("it is not a JSON object whose 'hooks' are an object");
            }
            return all;
        } catch (JacksonException malformed) {
            throw new IOException("it is not valid JSON (" + malformed.getOriginalMessage() + ")", malformed);
        }
    }

    private static JsonNode rest(JsonNode all, String event, Predicate<JsonNode> isOurs) {
        JsonNode copy = all.deepCopy();
        if (copy.get(HOOKS) instanceof ObjectNode hooks) {
            if (hooks.get(event) instanceof ArrayNode list) {
                for (int i = list.size() - 1; i >= 0; i--) {
                    if (isOurs.test(list.get(i))) {
                        list.remove(i);
                    }
                }
                if (list.isEmpty()) {
                    hooks.remove(event);
                }
            }
            if (hooks.isEmpty() && copy instanceof ObjectNode root) {
                root.remove(HOOKS);
            }
        }
        return copy;
    }

    private int position(String event) throws IOException {
        JsonNode list = read(text).path(HOOKS).path(event);
        for (int i = 0; i < list.size(); i++) {
            if (isOurs.test(list.get(i))) {
                return i;
            }
        }
        return -1;
    }

    private String put(String event, ObjectNode entry) throws IOException {
        Container root = container(0);
        Item hooks = root.named(HOOKS);
        if (hooks == null) {
            String list = "{\n    " + member(event, entry) + "\n  }";
            return added(root, "\"" + HOOKS + "\": " + list, 1);
        }
        Container events = container(hooks.valueFrom);
        Item list = events.named(event);
        if (list == null) {
            return added(events, member(event, entry), 2);
        }
        if (text.charAt(list.valueFrom) != '[') {
            throw new IOException("its hooks for " + event + " are not a list");
        }
        Container entries = container(list.valueFrom);
        int index = position(event);
        if (index < 0) {
            return added(entries, pretty(entry, 3), 3);
        }
        Item present = entries.items.get(index);
        return entry(text, event, isOurs).equals(entry)
                ? text
                : text.substring(0, present.from) + pretty(entry, 3) + text.substring(present.to);
    }

    private static String member(String event, ObjectNode entry) {
        return "\"" + event + "\": [\n      " + pretty(entry, 3) + "\n    ]";
    }

    /** The text with an item at the end of a container. */
    private String added(Container container, String item, int depth) {
        String indent = "\n" + "  ".repeat(depth);
        if (container.items.isEmpty()) {
            return text.substring(0, container.begin) + indent + item + "\n" + "  ".repeat(depth - 1)
                    + text.substring(container.begin).stripLeading();
        }
        int at = container.items.getLast().to;
        return text.substring(0, at) + "," + indent + item + text.substring(at);
    }

    private String remove(String event) throws IOException {
        String without = text;
        int index = position(event);
        while (index >= 0) {
            JsonHooks hooks = new JsonHooks(without, isOurs);
            without = hooks.without(hooks.list(event), index);
            index = new JsonHooks(without, isOurs).position(event);
        }
        return without.equals(text) ? text : new JsonHooks(without, isOurs).collapsed(event);
    }

    private Container list(String event) throws IOException {
        Item hooks = container(0).named(HOOKS);
        Item list = hooks == null ? null : container(hooks.valueFrom).named(event);
        if (list == null) {
            throw new IllegalStateException("The list was there.");
        }
        return container(list.valueFrom);
    }

    private String collapsed(String event) throws IOException {
        if (!list(event).items.isEmpty()) {
            return text;
        }
        Item hooks = container(0).named(HOOKS);
        if (hooks == null) {
            return text;
        }
        Container events = container(hooks.valueFrom);
        String without = without(events, indexOf(events, event));
        JsonHooks left = new JsonHooks(without, isOurs);
        Container root = left.container(0);
        Item object = root.named(HOOKS);
        return object != null && left.container(object.valueFrom).items.isEmpty()
                ? left.without(root, indexOf(root, HOOKS))
                : without;
    }

    private static int indexOf(Container container, String name) {
        for (int i = container.items.size() - 1; i >= 0; i--) {
            if (name.equals(container.items.get(i).name)) {
                return i;
            }
        }
        throw new IllegalStateException("The member was there.");
    }

    /** The text without an item and its separating comma. */
    private String without(Container container, int index) {
        List<Item> items = container.items;
        Item item = items.get(index);
        if (index > 0) {
            return text.substring(0, items.get(index - 1).to) + text.substring(item.to);
        }
        if (items.size() > 1) {
            return text.substring(0, item.from) + text.substring(items.get(1).from);
        }
        String before = text.substring(container.begin, item.from);
        String after = text.substring(item.to, container.end);
        return text.substring(0, container.begin)
                + (before + after.replaceFirst(",", "")).strip()
                + text.substring(container.end);
    }

    /** The container that begins at an offset. */
    private Container container(int offset) {
        List<Item> items = new ArrayList<>();
        try (JsonParser parser = MAPPER.createParser(text.substring(offset))) {
            parser.nextToken();
            int begin = offset + end(parser);
            JsonToken token = parser.nextToken();
            while (token != JsonToken.END_OBJECT && token != JsonToken.END_ARRAY) {
                int from = offset + start(parser);
                String name = null;
                if (token == JsonToken.PROPERTY_NAME) {
                    name = parser.currentName();
                    parser.nextToken();
                }
                int valueFrom = offset + start(parser);
                parser.skipChildren();
                parser.finishToken();
                items.add(new Item(name, from, valueFrom, offset + end(parser)));
                token = parser.nextToken();
            }
            return new Container(begin, items, offset + start(parser));
        }
    }

    private static int start(JsonParser parser) {
        return (int) parser.currentTokenLocation().getCharOffset();
    }

    private static int end(JsonParser parser) {
        return (int) parser.currentLocation().getCharOffset();
    }

    private static String pretty(ObjectNode node, int depth) {
        return MAPPER.writerWithDefaultPrettyPrinter()
                .writeValueAsString(node)
                .replace("\r\n", "\n")
                .replace("\n", "\n" + "  ".repeat(depth));
    }
}
