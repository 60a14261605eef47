package dev.toolgate.core.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.digest.Sha256;
import dev.toolgate.core.schema.Json;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

class ShortenedJsonTest {
    private static final int SMALL = 4 * 1024;

    @Test
    void what_fits_is_left_as_it_is() {
        ObjectNode value = Json.MAPPER.createObjectNode().put("path", "/a").put("mode", 7);

        assertThat(ShortenedJson.fit(value, SMALL)).isSameAs(value);
    }

    @ParameterizedTest
    @ValueSource(ints = {SMALL, 1 << 20})
    void a_large_field_keeps_its_name_size_and_digest_and_small_ones_their_value(int budget) {
        String content = "x".repeat(5_000_000);
        ObjectNode value =
                Json.MAPPER.createObjectNode().put("content", content).put("path", "/project/notes.txt");

        ObjectNode shortened = ShortenedJson.fit(value, budget);

        assertThat(shortened.path("path").stringValue()).isEqualTo("/project/notes.txt");
        assertThat(shortened.path("content").path("_shortened").stringValue()).isEqualTo("5000000 characters");
        assertThat(shortened.path("content").path("sha256").stringValue())
                .isEqualTo(HexFormat.of().formatHex(Sha256.of(content.getBytes(StandardCharsets.UTF_8))));
        assertThat(shortened.path("content").path("begins").stringValue()).startsWith("xxxx");
        assertThat(shortened.toString()).hasSizeLessThanOrEqualTo(budget);
    }

    @Test
    void a_path_deep_within_stays_readable_beside_something_large() {
        ObjectNode value = Json.MAPPER.createObjectNode();
        ObjectNode file = value.putArray("files").addObject();
        file.put("path", "/project/deep.txt").put("content", "\"\\\n".repeat(100_000));

        ObjectNode shortened = ShortenedJson.fit(value, SMALL);

        assertThat(shortened.at("/files/0/path").stringValue()).isEqualTo("/project/deep.txt");
        assertThat(shortened.toString()).hasSizeLessThanOrEqualTo(SMALL);
    }

    @Test
    void a_multitude_of_fields_is_counted_and_digested() {
        ObjectNode value = Json.MAPPER.createObjectNode();
        for (int i = 0; i < 100_000; i++) {
            value.put("field_" + i, "value " + i);
        }

        ObjectNode shortened = ShortenedJson.fit(value, SMALL);

        assertThat(shortened.toString()).hasSizeLessThanOrEqualTo(SMALL);
        assertThat(shortened.path("field_0").stringValue()).isEqualTo("value 0");
        assertThat(shortened.path("_shortened").path("_shortened").stringValue())
                .endsWith(" more fields");
        assertThat(shortened.path("_shortened").path("sha256").stringValue()).hasSize(64);
    }

    @Test
    void whatever_its_shape_it_fits_in_the_end() {
        Random random = new Random(11);
        for (int i = 0; i < 20; i++) {
            ObjectNode value = Json.MAPPER.createObjectNode();
            grow(value, random, 0);
            for (int budget : new int[] {1024, SMALL, 64 * 1024}) {
                assertThat(ShortenedJson.fit(value, budget).toString())
                        .as("tree %d", i)
                        .hasSizeLessThanOrEqualTo(budget);
            }
        }
    }

    private static void grow(ObjectNode into, Random random, int depth) {
        int fields = random.nextInt(1, depth == 0 ? 30 : 5);
        for (int i = 0; i < fields; i++) {
            String name = "n" + i + "\"".repeat(random.nextInt(10) == 0 ? random.nextInt(2000) : random.nextInt(3));
            switch (random.nextInt(depth > 1 ? 3 : 5)) {
                case 0 -> into.put(name, random.nextLong());
                case 1 -> into.put(name, text(random));
                case 2 -> into.put(name, random.nextBoolean());
                case 3 -> grow(into.putObject(name), random, depth + 1);
                default -> {
                    ArrayNode array = into.putArray(name);
                    for (int j = random.nextInt(5); j > 0; j--) {
                        JsonNode element = Json.MAPPER.getNodeFactory().stringNode(text(random));
                        array.add(element);
                    }
                    grow(array.addObject(), random, depth + 1);
                }
            }
        }
    }

    private static String text(Random random) {
        return switch (random.nextInt(4)) {
            case 0 -> "\u0001\n\"".repeat(random.nextInt(500));
            case 1 -> "😀é".repeat(random.nextInt(500));
            default -> "word ".repeat(random.nextInt(30));
        };
    }
}
