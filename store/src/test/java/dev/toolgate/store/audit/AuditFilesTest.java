package dev.toolgate.store.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.json.Json;
import dev.toolgate.store.audit.record.AuditCsv;
import dev.toolgate.store.audit.record.AuditJsonLines;
import dev.toolgate.store.audit.record.AuditRecord;
import dev.toolgate.store.audit.record.CallFacts;
import dev.toolgate.store.audit.record.ChainLink;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

class AuditFilesTest {

    @Test
    void json_lines_have_the_specified_fields_in_order() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        AuditJsonLines lines = new AuditJsonLines(out);
        lines.accept(record("fine"));
        lines.accept(record("two\nlines"));
        lines.flush();

        List<String> written = out.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(written).hasSize(2);
        JsonNode node = Json.MAPPER.readTree(written.getFirst());
        assertThat(node.propertyNames())
                .containsExactly(
                        "id",
                        "request_id",
                        "timestamp",
                        "agent_id",
                        "project_id",
                        "tool_name",
                        "operation",
                        "parameters",
                        "allowed",
                        "denial_reason",
                        "execution_time_ms",
                        "result_summary",
                        "session_id",
                        "status",
                        "error_code",
                        "approved_by",
                        "approved_at",
                        "approval_reason",
                        "approval_rule_id",
                        "principal",
                        "cost",
                        "tenant_id",
                        "workspace_id",
                        "instance_id",
                        "sequence",
                        "hash",
                        "previous_hash",
                        "digest_version",
                        "kind",
                        "correlation_id",
                        "conversation_id",
                        "message_id",
                        "tool_call_id",
                        "task_id",
                        "step_id",
                        "client_timestamp",
                        "arguments_digest",
                        "masked_characters",
                        "client",
                        "executed_by",
                        "undoes");
        assertThat(node.get("parameters").isObject()).isTrue();
        assertThat(node.get("allowed").isBoolean()).isTrue();
        assertThat(node.get("denial_reason").isNull()).isTrue();
        assertThat(node.get("cost").decimalValue()).isEqualByComparingTo("0.5");
    }

    @Test
    void csv_has_a_header_and_quotes_where_needed() throws IOException {
        String csv = csv(record("said \"no\", then\r\nleft"));

        assertThat(csv).startsWith("id,request_id,timestamp,agent_id,");
        assertThat(csv).contains(",\"said \"\"no\"\", then\r\nleft\",").endsWith("\r\n");
        assertThat(csv).contains(",\"{\"\"a\"\":1}\",true,,3,");
    }

    @ParameterizedTest
    @ValueSource(strings = {"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", "＝1", "=cmd|' /C calc'!A0"})
    void csv_escapes_spreadsheet_formulas(String attack) throws IOException {
        String csv = csv(record(attack));

        String cell = attack.contains("\r") ? "\"'" + attack + "\"" : "'" + attack;
        assertThat(csv).contains("," + cell + ",").doesNotContain("," + attack).doesNotContain(",\"" + attack);
    }

    private static String csv(AuditRecord record) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        AuditCsv csv = new AuditCsv(out);
        csv.accept(record);
        csv.flush();
        return out.toString(StandardCharsets.UTF_8);
    }

    private static AuditRecord record(String summary) {
        CallFacts facts = FirstVersion.facts(
                "acme",
                "r1",
                Instant.parse("2026-03-01T12:00:00Z"),
                "alice",
                null,
                "w",
                null,
                "bash",
                "execute",
                "{\"a\":1}",
                true,
                AuditLog.Status.COMPLETED,
                null,
                null,
                null,
                3,
                summary,
                new BigDecimal("0.5"),
                "key:1");
        return new AuditRecord(1, facts, ChainLink.after(new UUID(1, 2), 0, ChainLink.ORIGIN, facts.digest()));
    }
}
