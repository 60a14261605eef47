package dev.toolgate.store.audit.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.json.Json;
import dev.toolgate.store.audit.AuditStore;
import dev.toolgate.store.audit.chain.AuditChain;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

class AuditExportTest {
    private static AuditStore first;
    private static AuditStore second;
    private static List<String> lines;

    @BeforeAll
    static void write() throws Exception {
        first = AuditStore.open();
        first.log().record(odd());
        for (int i = 0; i < 4; i++) {
            first.log().record(AuditStore.completed("a" + i));
        }
        second = AuditStore.open(first.url());
        first.log().record(AuditStore.call("refused", "bob", "bash", AuditStore.NOON, AuditLog.Status.REFUSED));
        second.log().record(AuditStore.completed("b"));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new AuditExport(first.queries(), Clock.systemUTC()).write(out, AuditExport.Form.PLAIN);
        lines = Arrays.asList(out.toString(StandardCharsets.UTF_8).split("\n"));
    }

    @AfterAll
    static void close() throws Exception {
        second.close();
        first.close();
    }

    @Test
    void an_export_is_verified_without_a_database() throws IOException {
        AuditChain.Report report = verify(lines);

        assertThat(report.faults()).isEmpty();
        assertThat(report.records()).isEqualTo(7);
        assertThat(report.anchors()).isEqualTo(1);
    }

    @Test
    void a_compressed_export_is_verified_and_a_truncated_one_is_rejected() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        long records = new AuditExport(first.queries(), Clock.systemUTC()).write(out, AuditExport.Form.GZIP);

        assertThat(records).isEqualTo(7);
        assertThat(AuditExport.verify(new ByteArrayInputStream(out.toByteArray()))
                        .isWhole())
                .isTrue();
        byte[] half = Arrays.copyOf(out.toByteArray(), out.size() / 2);
        assertThatThrownBy(() -> AuditExport.verify(new ByteArrayInputStream(half)))
                .isInstanceOf(IOException.class);
    }

    @Test
    void any_missing_line_is_detected() {
        for (int i = 0; i < lines.size(); i++) {
            List<String> rest = new ArrayList<>(lines);
            String missing = rest.remove(i);
            assertThat(isFound(rest)).as(missing).isTrue();
        }
    }

    @Test
    void any_repeated_or_reordered_entry_is_detected() {
        for (int i = 0; i < lines.size() - 1; i++) {
            if (!isEntry(lines.get(i))) {
                continue;
            }
            List<String> twice = new ArrayList<>(lines);
            twice.add(i, lines.get(i));
            assertThat(isFound(twice)).as("twice: " + lines.get(i)).isTrue();

            List<String> swapped = new ArrayList<>(lines);
            Collections.swap(swapped, i, i + 1);
            boolean otherChain = !lines.get(i + 1).contains(instance(lines.get(i)));
            assertThat(isFound(swapped) || otherChain)
                    .as("swapped: " + lines.get(i))
                    .isTrue();
        }
    }

    @Test
    void any_changed_value_is_detected() {
        for (int i = 0; i < lines.size(); i++) {
            JsonNode node = Json.MAPPER.readTree(lines.get(i));
            for (String field : node.propertyNames()) {
                // The row id and the time of the export are not covered by the digest.
                if (List.of("type", "version", "created_at", "extent", "id", "records")
                        .contains(field)) {
                    continue;
                }
                ObjectNode changed = ((ObjectNode) node).deepCopy();
                changed.set(field, other(node.get(field)));
                List<String> tampered = new ArrayList<>(lines);
                tampered.set(i, changed.toString());
                assertThat(isFound(tampered)).as(field + " of " + lines.get(i)).isTrue();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"'', Line 1", "not json, not an audit export", "{}, Line 1", "[], Line 1"})
    void other_files_are_rejected_with_a_message(String content, String says) {
        assertThatThrownBy(() -> verify(List.of(content)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(says);
    }

    private static JsonNode other(JsonNode value) {
        if (value.isNumber()) {
            return Json.MAPPER.getNodeFactory().numberNode(value.decimalValue().add(BigDecimal.ONE));
        }
        if (value.isBoolean()) {
            return Json.MAPPER.getNodeFactory().booleanNode(!value.booleanValue());
        }
        if (value.isObject()) {
            return ((ObjectNode) value.deepCopy()).put("more", 1);
        }
        if (value.isArray() && value.isEmpty()) {
            return Json.MAPPER.createArrayNode().add("0".repeat(64));
        }
        return value.isArray()
                ? Json.MAPPER.createArrayNode()
                : Json.MAPPER.getNodeFactory().stringNode(value.asString("") + "0");
    }

    private static boolean isEntry(String line) {
        return line.contains("\"type\":\"record\"") || line.contains("\"type\":\"anchor\"");
    }

    private static String instance(String line) {
        return Json.MAPPER.readTree(line).path("instance_id").asString("");
    }

    private static boolean isFound(List<String> export) {
        try {
            return !verify(export).isWhole();
        } catch (IOException refused) {
            return true;
        }
    }

    private static AuditChain.Report verify(List<String> export) throws IOException {
        return AuditExport.verify(
                new ByteArrayInputStream(String.join("\n", export).getBytes(StandardCharsets.UTF_8)));
    }

    private static AuditLog.Entry odd() {
        AuditLog.Entry plain = AuditStore.completed("odd");
        return new AuditLog.Entry(
                new AuditLog.Intent(
                        AuditLog.Kind.CALL,
                        plain.requestId(),
                        plain.caller(),
                        CallContext.NONE,
                        "project",
                        plain.tool(),
                        plain.call().operation(),
                        (ObjectNode)
                                Json.MAPPER.readTree(
                                        "{\"b\":{\"z\":1e2,\"y\":[1.50,-0.0,12345678901234567890123]},\"a\":\"\\u2028 \\\" \\\\ é 😀\"}"),
                        null,
                        null,
                        plain.call().at().plusNanos(123_456_789)),
                Duration.ofMillis(7),
                plain.status(),
                null,
                null,
                new AuditLog.Approval("root", null, null, null),
                "line\nbreak",
                new BigDecimal("0.000001"));
    }
}
