package dev.toolgate.core.schema;

import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Checks the size and the references of a schema: every {@code $ref} must point into the same schema, and references
 * must not form a cycle without descending into a property or an item. A recursive schema, such as that of a tree, is
 * fine: each cycle descends one level in the value.
 */
final class SchemaReferences {
    private static final int MAX_NODES = 50_000;
    private static final int MAX_TEXT = 1 << 20;
    private static final int MAX_DEPTH = 100;
    private static final int MAX_CHAIN = 100;
    private static final int SHOWN = 100;

    private static final Set<String> DIALECTS = Set.of(
            "https://json-schema.org/draft-07/schema",
            "https://json-schema.org/draft/2019-09/schema",
            "https://json-schema.org/draft/2020-12/schema");
    private static final Set<String> REFERENCES = Set.of("$ref", "$dynamicRef", "$recursiveRef");

    /** Keywords whose schemas apply to the value itself. */
    private static final Set<String> SAME_VALUE = Set.of("not", "if", "then", "else");

    private static final Set<String> SAME_VALUE_LISTS = Set.of("allOf", "anyOf", "oneOf");
    private static final Set<String> SAME_VALUE_MAPS = Set.of("dependentSchemas", "dependencies");

    /** Keywords whose schemas apply to a part of the value, or to nothing until they are referred to. */
    private static final Set<String> PARTS = Set.of(
            "items",
            "prefixItems",
            "additionalItems",
            "unevaluatedItems",
            "contains",
            "additionalProperties",
            "unevaluatedProperties",
            "propertyNames",
            "contentSchema");

    private static final Set<String> PART_MAPS = Set.of("properties", "patternProperties", "$defs", "definitions");

    private final ObjectNode root;
    private final Map<String, JsonNode> anchors = new HashMap<>();
    private final IdentityHashMap<JsonNode, State> states = new IdentityHashMap<>();
    private int nodes;
    private int text;

    /** The state of a schema in the search for cycles. */
    private enum State {
        OPEN,
        DONE
    }

    /** A schema that cannot be used. */
    private static final class Problem extends Exception {
        private static final long serialVersionUID = 1L;

        Problem(String message) {
            super(message, null, false, false);
        }

        String text() {
            return String.valueOf(getMessage());
        }
    }

    SchemaReferences(ObjectNode root) {
        this.root = root;
    }

    /** What is wrong, as the end of a sentence that begins "The schema". */
    Optional<String> problem() {
        try {
            measure(root, 0);
            requireKnownDialect();
            List<JsonNode> schemas = reachable();
            for (JsonNode schema : schemas) {
                followInPlace(schema, 0);
            }
            return Optional.empty();
        } catch (Problem found) {
            return Optional.of(found.text());
        }
    }

    private void measure(JsonNode node, int depth) throws Problem {
        if (depth > MAX_DEPTH) {
            throw new Problem("is nested deeper than " + MAX_DEPTH + " levels");
        }
        text += node.isString() ? node.stringValue().length() : 0;
        if (node.isObject()) {
            for (String name : node.propertyNames()) {
                text += name.length();
            }
        }
        if (++nodes > MAX_NODES || text > MAX_TEXT) {
            throw new Problem("is larger than " + MAX_NODES + " values or " + (MAX_TEXT >> 20) + " MB");
        }
        for (JsonNode inner : node) {
            measure(inner, depth + 1);
        }
    }

    private void requireKnownDialect() throws Problem {
        JsonNode declared = root.get("$schema");
        if (declared == null) {
            return;
        }
        // With its scheme: the validator would look up a name without one as another document.
        String dialect = declared.asString("").replaceFirst("^http:", "https:").replaceFirst("#$", "");
        if (!DIALECTS.contains(dialect)) {
            throw new Problem("is of the dialect '" + shown(declared.asString(""))
                    + "'; known are draft-07, 2019-09 and 2020-12");
        }
    }

    /** All schemas in the document, and those that references lead to. */
    private List<JsonNode> reachable() throws Problem {
        List<JsonNode> found = new ArrayList<>();
        IdentityHashMap<JsonNode, Boolean> seen = new IdentityHashMap<>();
        List<JsonNode> referring = new ArrayList<>();
        Deque<JsonNode> waiting = new ArrayDeque<>(List.of(root));
        while (!waiting.isEmpty() || !referring.isEmpty()) {
            // References are followed once all anchors of what has been found are known.
            if (waiting.isEmpty()) {
                for (JsonNode schema : referring) {
                    waiting.addAll(referred(schema));
                }
                referring.clear();
                continue;
            }
            JsonNode schema = waiting.removeFirst();
            if (seen.put(schema, true) != null || !schema.isObject()) {
                continue;
            }
            remember(schema);
            found.add(schema);
            waiting.addAll(inPlace(schema));
            waiting.addAll(parts(schema));
            referring.add(schema);
        }
        return found;
    }

    @SuppressWarnings("ReferenceEquality") // an equal schema elsewhere is not the root
    private void remember(JsonNode schema) throws Problem {
        for (String keyword : List.of("$anchor", "$dynamicAnchor")) {
            if (schema.path(keyword).isString()) {
                anchors.put(schema.path(keyword).stringValue(), schema);
            }
        }
        JsonNode id = schema.path("$id");
        if (schema != root && id.isString()) {
            if (!id.stringValue().startsWith("#")) {
                throw new Problem(
                        "has a part with an $id of its own, '" + shown(id.stringValue()) + "', which is not supported");
            }
            anchors.put(id.stringValue().substring(1), schema); // how draft-07 writes an anchor
        }
    }

    private void followInPlace(JsonNode schema, int chain) throws Problem {
        State state = states.get(schema);
        if (state == State.DONE || !schema.isObject()) {
            return;
        }
        if (state == State.OPEN) {
            throw new Problem("has a $ref that leads back to itself without end");
        }
        if (chain > MAX_CHAIN) {
            throw new Problem("has a chain of more than " + MAX_CHAIN + " references");
        }
        states.put(schema, State.OPEN);
        for (JsonNode next : inPlace(schema)) {
            followInPlace(next, chain + 1);
        }
        for (JsonNode next : referred(schema)) {
            followInPlace(next, chain + 1);
        }
        states.put(schema, State.DONE);
    }

    private static List<JsonNode> inPlace(JsonNode schema) {
        List<JsonNode> applied = new ArrayList<>();
        for (Map.Entry<String, JsonNode> keyword : schema.properties()) {
            JsonNode value = keyword.getValue();
            if (SAME_VALUE.contains(keyword.getKey())) {
                applied.add(value);
            } else if ((SAME_VALUE_LISTS.contains(keyword.getKey()) && value.isArray())
                    || (SAME_VALUE_MAPS.contains(keyword.getKey()) && value.isObject())) {
                value.forEach(applied::add);
            }
        }
        return applied;
    }

    private static List<JsonNode> parts(JsonNode schema) {
        List<JsonNode> parts = new ArrayList<>();
        for (Map.Entry<String, JsonNode> keyword : schema.properties()) {
            JsonNode value = keyword.getValue();
            if (PARTS.contains(keyword.getKey()) && value.isObject()) {
                parts.add(value);
            } else if ((PARTS.contains(keyword.getKey()) && value.isArray())
                    || (PART_MAPS.contains(keyword.getKey()) && value.isObject())) {
                value.forEach(parts::add);
            }
        }
        return parts;
    }

    private List<JsonNode> referred(JsonNode schema) throws Problem {
        List<JsonNode> targets = new ArrayList<>(1);
        for (String keyword : REFERENCES) {
            JsonNode reference = schema.get(keyword);
            if (reference != null && reference.isString()) {
                targets.add(target(reference.stringValue()));
            }
        }
        return targets;
    }

    private JsonNode target(String reference) throws Problem {
        if (!reference.startsWith("#")) {
            throw new Problem("refers to another document, '" + shown(reference)
                    + "'; only references inside the schema are followed");
        }
        JsonNode found = reference.equals("#") || reference.startsWith("#/") ? pointed(reference) : anchored(reference);
        if (found == null || !(found.isObject() || found.isBoolean())) {
            throw new Problem("refers to '" + shown(reference) + "', where there is no schema");
        }
        return found;
    }

    private @Nullable JsonNode anchored(String reference) {
        return anchors.get(reference.substring(1));
    }

    private @Nullable JsonNode pointed(String reference) {
        String pointer;
        try {
            pointer = URI.create(reference).getFragment();
        } catch (IllegalArgumentException unescaped) {
            pointer = reference.substring(1);
        }
        JsonNode place = root;
        for (String step :
                pointer.isEmpty() ? new String[0] : pointer.substring(1).split("/", -1)) {
            String name = step.replace("~1", "/").replace("~0", "~");
            place = place.isArray() && name.matches("[0-9]{1,6}")
                    ? place.path(Integer.parseInt(name))
                    : place.path(name);
        }
        return place.isMissingNode() ? null : place;
    }

    /** A text of the schema's author, shortened and in printable ASCII. */
    static String shown(String text) {
        String line = text.replaceAll("[^\\x20-\\x7e]", "?");
        return line.length() <= SHOWN ? line : line.substring(0, SHOWN) + "…";
    }
}
