package dev.toolgate.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.json.Json;
import dev.toolgate.core.schema.ArgumentCheck;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The published schema and example match the settings in the code. */
class PublishedSettingsTest {
    private static final Path DOCS = Path.of(System.getProperty("toolgate.root"), "docs");
    private static final Path EXAMPLE = DOCS.resolve("toolgate.example.yaml");

    @Test
    void the_published_schema_is_the_one_of_the_code() throws IOException {
        String generated = Json.MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(SettingsSchema.generate());
        Path published = DOCS.resolve("toolgate.schema.json");
        if (Boolean.getBoolean("toolgate.publish")) {
            Files.writeString(published, generated + "\n");
        }
        assertThat(Files.readString(published))
                .as("regenerate it with -Dtoolgate.publish=true")
                .isEqualTo(generated + "\n");
    }

    @Test
    void the_example_is_accepted_by_the_loader_and_by_the_schema() {
        ServerSettings settings = ServerSettings.load(EXAMPLE, Map.of(), Map.of());
        assertThat(settings.limits().perTenant()).isNotNull();
        assertThat(new ArgumentCheck(SettingsSchema.generate()).validate(SettingsFile.read(EXAMPLE)))
                .isEmpty();
    }

    @Test
    void the_schema_refuses_what_the_loader_refuses() {
        ObjectNode wrong = SettingsFile.read(EXAMPLE);
        wrong.withObject("/http").put("idle_timout", "3s").put("grace", "soon").put("max_connections", 0);
        assertThat(new ArgumentCheck(SettingsSchema.generate()).validate(wrong))
                .get()
                .asString()
                .contains("http.idle_timout")
                .contains("http.grace")
                .contains("http.max_connections");
    }

    @Test
    void the_example_shows_every_setting() {
        Set<String> missing = new TreeSet<>(
                SettingsNode.values(SettingsNode.of(ServerSettings.class)).keySet());
        missing.removeIf(path -> !at(SettingsFile.read(EXAMPLE), path).isMissingNode());
        assertThat(missing).containsExactly("limits.per_tenant.burst", "limits.per_tool.burst");
    }

    private static JsonNode at(JsonNode tree, String path) {
        return tree.at("/" + path.replace('.', '/'));
    }
}
