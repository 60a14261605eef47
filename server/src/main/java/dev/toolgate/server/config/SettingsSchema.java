package dev.toolgate.server.config;

import dev.toolgate.core.json.Json;
import dev.toolgate.server.config.SettingsNode.Entry;
import dev.toolgate.server.config.SettingsNode.Section;
import dev.toolgate.server.config.SettingsNode.Value;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Generates the JSON Schema of {@code toolgate.yaml} from the settings records. */
public final class SettingsSchema {
    private SettingsSchema() {}

    /** The whole schema. */
    public static ObjectNode generate() {
        ObjectNode schema = Json.MAPPER.createObjectNode();
        schema.put("$schema", "https://json-schema.org/draft/2020-12/schema");
        schema.put("title", "toolgate.yaml");
        schema.setAll(section(SettingsNode.of(ServerSettings.class)));
        return schema;
    }

    /** The schema of one section. */
    public static ObjectNode of(Class<? extends Record> section) {
        return section(SettingsNode.of(section));
    }

    static ObjectNode section(Section section) {
        ObjectNode schema = Json.MAPPER.createObjectNode().put("type", "object");
        schema.put("additionalProperties", false);
        ObjectNode properties = schema.putObject("properties");
        ArrayNode required = Json.MAPPER.createArrayNode();
        section.entries().forEach((key, entry) -> {
            properties.set(key, entry(entry));
            if (!entry.about().formerly().isEmpty()) {
                properties.set(
                        entry.about().formerly(),
                        entry(entry).put("deprecated", true).put("description", "The former name of " + key + "."));
            }
            if (entry.absence() == SettingsNode.Absence.MISSING) {
                required.add(key);
            }
        });
        if (!required.isEmpty()) {
            schema.set("required", required);
        }
        return schema;
    }

    private static ObjectNode entry(Entry entry) {
        ObjectNode schema =
                Json.MAPPER.createObjectNode().put("description", entry.about().value());
        return switch (entry.node()) {
            case Section section -> schema.setAll(section(section));
            case Value value -> {
                schema.setAll(value.format().schema().deepCopy());
                new Range(entry.about()).describe(schema);
                if (!entry.about().defaultValue().isEmpty()) {
                    schema.set(
                            "default",
                            value.format().fromText().apply(entry.about().defaultValue()));
                }
                yield schema;
            }
        };
    }
}
