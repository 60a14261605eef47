package dev.toolgate.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.server.openapi.ApiDocument;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/** The published API document and database schema are those of the code; {@code -Dtoolgate.publish=true} writes them. */
class PublishedApiTest {
    private static final Path DOCS = Path.of(System.getProperty("toolgate.root"), "docs");
    private static final String VERSION = "of the running server";

    @Test
    void the_published_api_document_is_up_to_date() throws IOException {
        ObjectNode document = ApiDocument.read(VERSION);
        String generated = "# Generated from server/src/main/resources/openapi; write it anew with"
                + " mvn -pl cli -am test -Dtest=PublishedApiTest -Dtoolgate.publish=true\n"
                + ApiDocument.yaml(document);

        assertThat(new YAMLMapper().readTree(generated)).isEqualTo(document);
        assertPublished("api/openapi.yaml", generated);
    }

    @Test
    void the_published_database_schema_is_up_to_date() throws Exception {
        try (Database database = Database.open(MigratedDatabase.fresh())) {
            assertPublished("database/schema.sql", database.jdbi().withHandle(SchemaText::of));
        }
    }

    private static void assertPublished(String name, String generated) throws IOException {
        Path published = DOCS.resolve(name);
        if (Boolean.getBoolean("toolgate.publish")) {
            Files.writeString(published, generated);
        }
        assertThat(Files.readString(published))
                .as("write it anew with -Dtoolgate.publish=true")
                .isEqualTo(generated);
    }
}
