package dev.toolgate.core.output;

import dev.toolgate.core.digest.Sha256;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes JSON fit a number of characters, field by field: what is small stays as it is, what is large keeps its name, its
 * size, a digest and how it begins. So a record of a call with a large argument still says which file it was about.
 */
public final class ShortenedJson {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
    private static final String NOTE = "_shortened";
    private static final int LONGEST_NAME = 100;
    private static final int LONGEST_BEGINNING = 256;
    /** The most characters of a note without a beginning. */
    private static final int NOTE_SIZE = 160;

    private final IdentityHashMap<JsonNode, Integer> sizes = new IdentityHashMap<>();

    private ShortenedJson() {}

    /**
     * The value itself if its text has at most so many characters, else one like it that has.
     *
     * @param budget at least a few hundred, so that there is room for a note
     */
    public static ObjectNode fit(ObjectNode value, int budget) {
        ShortenedJson shortened = new ShortenedJson();
        return shortened.size(value) <= budget ? value : (ObjectNode) shortened.container(value, budget);
    }

    private JsonNode fit(JsonNode value, int budget) {
        if (size(value) <= budget) {
            return value;
        }
        if (value.isContainer()) {
            return budget <= 2 * NOTE_SIZE
                    ? note(value.size() + " entries", value.toString())
                    : container(value, budget);
        }
        String text = value.isString() ? value.stringValue() : value.toString();
        ObjectNode note = note(text.length() + " characters", text);
        int room = Math.min(LONGEST_BEGINNING, budget - NOTE_SIZE);
        return room <= 0 ? note : note.put("begins", beginning(text, room));
    }

    private JsonNode container(JsonNode value, int budget) {
        List<Field> fields = fields(value);
        List<Field> smallestFirst = new ArrayList<>(fields);
        if (value.isObject()) {
            smallestFirst.sort(Comparator.comparingInt(Field::size)); // names and paths are small
        }
        int left = budget - 2 * NOTE_SIZE;
        Set<Field> kept = new HashSet<>();
        for (Field field : smallestFirst) {
            int least = size(field.name()) + 2 + Math.min(field.size(), NOTE_SIZE);
            if (left < least) {
                break;
            }
            left -= least;
            kept.add(field);
        }
        share(smallestFirst.stream().filter(kept::contains).toList(), left);
        return value.isObject() ? object(fields, kept) : array(fields, kept);
    }

    /** Gives what is left to the fields that want more, each as much as it wants or an equal share. */
    private static void share(List<Field> smallestFirst, int left) {
        List<Field> wanting = new ArrayList<>(smallestFirst);
        wanting.sort(Comparator.comparingInt(Field::size));
        int rest = left;
        for (int i = 0; i < wanting.size(); i++) {
            Field field = wanting.get(i);
            int least = Math.min(field.size(), NOTE_SIZE);
            int more = Math.min(field.size() - least, rest / (wanting.size() - i));
            field.budget = least + more;
            rest -= more;
        }
    }

    private ObjectNode object(List<Field> fields, Set<Field> kept) {
        ObjectNode object = JSON.objectNode();
        StringBuilder cut = new StringBuilder();
        for (Field field : fields) {
            if (kept.contains(field)) {
                object.set(field.name(), fit(field.value, field.budget));
            } else {
                cut.append(field.name()).append(field.value);
            }
        }
        if (kept.size() < fields.size()) {
            object.set(NOTE, note(fields.size() - kept.size() + " more fields", cut.toString()));
        }
        return object;
    }

    private ArrayNode array(List<Field> fields, Set<Field> kept) {
        ArrayNode array = JSON.arrayNode();
        StringBuilder cut = new StringBuilder();
        for (Field field : fields) {
            if (kept.contains(field)) {
                array.add(fit(field.value, field.budget));
            } else {
                cut.append(field.value);
            }
        }
        if (kept.size() < fields.size()) {
            array.add(note(fields.size() - kept.size() + " more elements", cut.toString()));
        }
        return array;
    }

    private List<Field> fields(JsonNode value) {
        List<Field> fields = new ArrayList<>(value.size());
        if (value.isObject()) {
            value.properties()
                    .forEach(entry ->
                            fields.add(new Field(name(entry.getKey()), entry.getValue(), size(entry.getValue()))));
        } else {
            value.forEach(element -> fields.add(new Field("", element, size(element))));
        }
        return fields;
    }

    private static String name(String name) {
        return name.length() <= LONGEST_NAME
                ? name
                : beginning(name, LONGEST_NAME) + "… " + sha256(name).substring(0, 16);
    }

    private static ObjectNode note(String what, String cut) {
        return JSON.objectNode().put(NOTE, what).put("sha256", sha256(cut));
    }

    private static String sha256(String text) {
        return HexFormat.of().formatHex(Sha256.of(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static String beginning(String text, int room) {
        int used = 0;
        int end = 0;
        while (end < text.length()) {
            int point = text.codePointAt(end);
            used += size(point);
            if (used > room) {
                break;
            }
            end += Character.charCount(point);
        }
        return text.substring(0, end);
    }

    /** No less than the characters of its text. */
    private int size(JsonNode value) {
        if (!value.isContainer()) {
            return value.isString()
                    ? size(value.stringValue())
                    : value.toString().length();
        }
        Integer known = sizes.get(value);
        if (known != null) {
            return known;
        }
        long size = 2;
        for (Map.Entry<String, JsonNode> entry : value.properties()) {
            size += size(entry.getKey()) + 2;
        }
        for (JsonNode element : value) {
            size += size(element) + 1L;
        }
        int bounded = (int) Math.min(size, Integer.MAX_VALUE / 2);
        sizes.put(value, bounded);
        return bounded;
    }

    private static int size(String text) {
        int size = 2;
        for (int i = 0; i < text.length(); i++) {
            size += size(text.charAt(i));
        }
        return size;
    }

    // What has to be escaped takes more than one character.
    private static int size(int character) {
        if (character < ' ') {
            return 6;
        }
        return character == '"' || character == '\\' || character == '/' ? 2 : 1;
    }

    /** A value with its name, and how many characters it may have. */
    private static final class Field {
        private final String name;
        private final JsonNode value;
        private final int size;
        private int budget;

        Field(String name, JsonNode value, int size) {
            this.name = name;
            this.value = value;
            this.size = size;
        }

        String name() {
            return name;
        }

        int size() {
            return size;
        }
    }
}
