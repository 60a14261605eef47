package dev.toolgate.server.door;

import com.networknt.schema.Error;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;

/** The documented examples and schemas of the doors. */
public final class Seed {
    private static final SchemaRegistry REGISTRY =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    private Seed() {}

    /** A file such as {@code tool-backend/error.json}. */
    public static JsonNode read(String name) {
        try (InputStream in = Objects.requireNonNull(Seed.class.getResourceAsStream("/seeds/" + name), name)) {
            return Json.MAPPER.readTree(in);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Validates a value by the schema in a file; empty if valid. */
    public static List<String> complaints(String schema, JsonNode value) {
        return complaints(read(schema), value);
    }

    /** Validates a value by a schema; empty if valid. */
    public static List<String> complaints(JsonNode schema, JsonNode value) {
        return REGISTRY
                .getSchema(schema)
                .validate(value, context -> context.executionConfig(config -> config.formatAssertionsEnabled(true)))
                .stream()
                .map(Error::toString)
                .toList();
    }
}
