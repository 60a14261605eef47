package dev.toolgate.store.upstream;

import dev.toolgate.core.digest.Sha256;
import dev.toolgate.core.json.Json;
import dev.toolgate.store.audit.record.CanonicalJson;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The definition of a tool that a person agrees to. Agents get this one, even if the server lists another.
 *
 * @param text the complete definition that the server listed, as canonical JSON
 * @param hash SHA-256 in hexadecimal, of the fields that determine how a tool is used: name, title, description,
 *     schemas and annotations
 */
public record PinnedDefinition(String tool, String text, String hash) {
    /** The maximum length of a definition. */
    public static final int MAX_LENGTH = 256 << 10;

    private static final int MAX_NAME = 128;
    private static final List<String> HASHED =
            List.of("name", "title", "description", "inputSchema", "outputSchema", "annotations");

    /** Reads a listed definition; empty if it has no name, is too long, or cannot be stored exactly. */
    public static Optional<PinnedDefinition> of(ObjectNode listed) {
        JsonNode name = listed.path("name");
        if (!name.isString()
                || name.stringValue().isBlank()
                || name.stringValue().length() > MAX_NAME) {
            return Optional.empty();
        }
        String whole = listed.toString();
        if (whole.length() > MAX_LENGTH || !isStorable(listed)) {
            return Optional.empty();
        }
        try {
            return Optional.of(ofCanonical(name.stringValue(), CanonicalJson.of(whole)));
        } catch (JacksonException unreadable) {
            return Optional.empty(); // for example a number that is longer as it is written here
        }
    }

    static PinnedDefinition ofCanonical(String tool, String text) {
        JsonNode whole = CanonicalJson.EXACT.readTree(text);
        ObjectNode hashed = Json.MAPPER.createObjectNode();
        for (String field : HASHED) {
            JsonNode value = whole.get(field);
            if (value != null && !value.isNull()) {
                hashed.set(field, value);
            }
        }
        byte[] canonical = CanonicalJson.of(hashed.toString()).getBytes(StandardCharsets.UTF_8);
        return new PinnedDefinition(tool, text, HexFormat.of().formatHex(Sha256.of(canonical)));
    }

    // Canonical JSON replaces such characters, so that definitions which differ in them would have the same hash.
    private static boolean isStorable(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT ->
                value.properties().stream().allMatch(field -> isText(field.getKey()) && isStorable(field.getValue()));
            case ARRAY -> value.valueStream().allMatch(PinnedDefinition::isStorable);
            case STRING -> isText(value.stringValue());
            case NUMBER, BOOLEAN, NULL -> true;
            case MISSING, BINARY, POJO -> false;
        };
    }

    private static boolean isText(String text) {
        return text.codePoints()
                .noneMatch(c -> c == 0 || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE));
    }

    /** The definition as JSON. */
    public ObjectNode json() {
        return (ObjectNode) CanonicalJson.EXACT.readTree(text);
    }
}
