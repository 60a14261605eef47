package dev.toolgate.store.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.audit.chain.ChainFault;
import dev.toolgate.store.audit.query.AuditFilter;
import dev.toolgate.store.audit.record.AuditColumns;
import dev.toolgate.store.audit.record.AuditCsv;
import dev.toolgate.store.audit.record.AuditRecord;
import dev.toolgate.store.audit.record.AuditRecordJson;
import dev.toolgate.store.audit.record.AuditRecordSchema;
import dev.toolgate.store.audit.record.CallFacts;
import dev.toolgate.store.audit.record.CanonicalJson;
import dev.toolgate.store.audit.record.ChainLink;
import dev.toolgate.store.audit.write.AuditItem;
import dev.toolgate.store.audit.write.AuditWriter;
import java.io.ByteArrayOutputStream;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Every component of a record is written, read, exported and covered by its digest. */
class RecordRoundTripTest {
    private static final Instant NOON = Instant.parse("2026-03-01T12:00:00.123456Z");
    private static final ChainLink PLACE = new ChainLink(new UUID(1, 2), 1, ChainLink.ORIGIN, ChainLink.ORIGIN);

    private AuditStore store;
    private AuditWriter writer;

    @BeforeEach
    void open() throws Exception {
        store = AuditStore.open();
        writer = new AuditWriter(store.database().unpooled(), Duration.ofDays(1));
    }

    @AfterEach
    void close() throws Exception {
        writer.close();
        store.close();
    }

    @Test
    void every_component_survives_a_round_trip_through_the_database() throws Exception {
        CallFacts full = facts(null);
        CallFacts bare = FirstVersion.facts(
                "acme",
                "bare",
                NOON.plusSeconds(1),
                "agent",
                null,
                "w",
                null,
                "bash",
                "execute",
                "{}",
                true,
                AuditLog.Status.COMPLETED,
                null,
                null,
                null,
                null,
                null,
                null,
                null);
        writer.write(List.of(new AuditItem.Ended(full, null, null), new AuditItem.Ended(bare, null, null)));

        assertThat(store.queries()
                        .page(AuditFilter.of(new TenantId("tenantId")), null, 10)
                        .records())
                .extracting(AuditRecord::call)
                .containsExactly(full);
        assertThat(store.all()).extracting(AuditRecord::call).containsExactly(bare);
        assertThat(store.queries().verify().faults()).isEmpty();
    }

    @Test
    void a_version_1_row_verifies_until_a_later_column_is_set() {
        UUID chain = new UUID(3, 4);
        ChainLink link = ChainLink.after(
                chain, 0, ChainLink.ORIGIN, "9dffbcdf2237ebcf278cdee9ef423166cba796721141ccbb1de70f8843e610a4");
        store.sql("""
                INSERT INTO audit_instances (instance_id, process_id, ended_at, last_sequence, last_hash, pruned_hash)
                VALUES ('%1$s', 1, now(), 1, '\\x%2$s', '\\x%3$s');
                INSERT INTO tool_audit_logs (
                    tenant_id, request_id, timestamp, agent_id, workspace_id, tool_name, operation, parameters, allowed,
                    status, execution_time_ms, result_summary, instance_id, sequence, previous_hash, hash)
                VALUES ('acme', 'r1', '2026-03-01T12:00:00.5Z', 'alice', 'w', 'bash', 'execute', '{"a":1}', true,
                    'COMPLETED', 3, 'OK', '%1$s', 1, '\\x%3$s', '\\x%2$s')""".formatted(chain, link.hash(), ChainLink.ORIGIN));

        assertThat(store.queries().verify().faults()).isEmpty();
        assertThat(store.all().getFirst().call().digestVersion()).isEqualTo(1);
        store.sql("UPDATE tool_audit_logs SET task_id = 'never'");
        assertThat(store.queries().verify().faults())
                .containsExactly(new ChainFault(ChainFault.Kind.CHANGED, chain, 1));
    }

    @Test
    void the_names_of_five_approvers_are_recorded_in_full() {
        String five = IntStream.range(0, 5)
                .mapToObj(number -> "token:approver-" + number + "@a-department-with-a-long-name.example.com")
                .collect(Collectors.joining(", "));
        AuditLog.Entry plain = AuditStore.completed("approved");
        store.log()
                .record(new AuditLog.Entry(
                        plain.call(),
                        plain.took(),
                        plain.status(),
                        plain.error(),
                        plain.denialReason(),
                        new AuditLog.Approval(five, NOON, "all agree", null),
                        plain.resultSummary(),
                        plain.cost()));

        assertThat(store.all())
                .singleElement()
                .satisfies(record -> assertThat(record.call().approvedBy()).isEqualTo(five));
        store.sql("INSERT INTO tool_audit_logs_rest SELECT * FROM tool_audit_logs"); // as retention copies it
        assertThat(store.queries().verify().faults()).isEmpty();
    }

    @Test
    void every_component_of_an_intent_survives_a_round_trip() throws Exception {
        CallFacts full = facts(null);
        writer.write(List.of(new AuditItem.Intended(1, full, null)));
        writer.unfinished().abandon(1);
        writer.closeInterrupted();

        CallFacts interrupted = store.queries()
                .page(AuditFilter.of(new TenantId("tenantId")), null, 10)
                .records()
                .getFirst()
                .call();
        assertThat(AuditColumns.OF_INTENTS)
                .hasSizeGreaterThan(15)
                .allSatisfy(column ->
                        assertThat(column.text(interrupted)).as(column.name()).isEqualTo(column.text(full)));
        assertThat(interrupted.status()).isEqualTo(AuditLog.Status.INTERRUPTED);
    }

    @Test
    void every_component_survives_a_round_trip_through_json() {
        AuditRecord full = new AuditRecord(7, facts(null), PLACE);

        JsonNode written =
                CanonicalJson.EXACT.readTree(AuditRecordJson.write(full).toString());

        assertThat(AuditRecordJson.read(written)).isEqualTo(full);
        assertThat(written.propertyNames()).containsExactlyElementsOf(AuditRecordJson.NAMES);
    }

    @Test
    void csv_and_the_api_document_contain_every_component() throws Exception {
        List<String> columns =
                components().stream().map(RecordRoundTripTest::columnName).toList();
        ByteArrayOutputStream csv = new ByteArrayOutputStream();
        new AuditCsv(csv).flush();
        ObjectNode schema = AuditRecordSchema.schema();

        assertThat(csv.toString(StandardCharsets.UTF_8).strip().split(",")).containsAll(columns);
        assertThat(schema.path("properties").propertyNames()).containsAll(columns);
        assertThat(schema.path("example").propertyNames()).containsExactlyElementsOf(AuditRecordJson.NAMES);
    }

    @Test
    void json_without_the_added_columns_is_read_as_version_1() {
        CallFacts old = FirstVersion.facts(
                "acme",
                "r",
                NOON,
                "agent",
                null,
                "w",
                null,
                "bash",
                "execute",
                "{}",
                true,
                AuditLog.Status.COMPLETED,
                null,
                null,
                null,
                1,
                "OK",
                null,
                "key:1");
        ObjectNode written = AuditRecordJson.write(
                new AuditRecord(1, old, ChainLink.after(new UUID(1, 2), 0, ChainLink.ORIGIN, old.digest())));
        AuditColumns.ADDED.forEach(column -> written.remove(column.name()));

        assertThat(AuditRecordJson.read(written).call()).isEqualTo(old);
        assertThat(AuditRecordJson.read(written).isUnchanged()).isTrue();
    }

    static Stream<String> componentNames() {
        return components().stream().map(RecordComponent::getName);
    }

    @ParameterizedTest
    @MethodSource("componentNames")
    void changing_any_component_changes_the_digest(String component) {
        CallFacts is = facts(null);
        CallFacts changed = facts(component);
        AuditRecord forged =
                new AuditRecord(1, changed, ChainLink.after(PLACE.instanceId(), 0, ChainLink.ORIGIN, is.digest()));

        assertThat(changed).isNotEqualTo(is);
        assertThat(forged.isUnchanged()).isFalse();
    }

    @ParameterizedTest
    @MethodSource("componentNames")
    void setting_any_component_of_a_version_1_record_is_detected(String component) throws Exception {
        CallFacts old = FirstVersion.facts(
                "acme",
                "r",
                NOON,
                "agent",
                null,
                "w",
                null,
                "bash",
                "execute",
                "{}",
                true,
                AuditLog.Status.COMPLETED,
                null,
                null,
                null,
                1,
                "OK",
                null,
                null);
        CallFacts filled = construct(each -> each.getName().equals(component)
                ? value(each, value(each, 1).equals(get(each, old)) ? 0 : 1)
                : Objects.requireNonNullElse(get(each, old), Absent.VALUE));
        AuditRecord forged =
                new AuditRecord(1, filled, ChainLink.after(PLACE.instanceId(), 0, ChainLink.ORIGIN, old.digest()));

        assertThat(forged.isUnchanged()).isFalse();
    }

    private enum Absent {
        VALUE
    }

    private interface Filling {
        Object of(RecordComponent component) throws Exception;
    }

    private static List<RecordComponent> components() {
        return Arrays.asList(CallFacts.class.getRecordComponents());
    }

    private static String columnName(RecordComponent component) {
        return component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    }

    /** Facts with a value in every component, with a different value in the given one. */
    private static CallFacts facts(@Nullable String changed) {
        try {
            return construct(each -> value(each, each.getName().equals(changed) ? 1 : 0));
        } catch (Exception broken) {
            throw new AssertionError(broken);
        }
    }

    private static CallFacts construct(Filling filling) throws Exception {
        @Nullable Object[] values = new @Nullable Object[components().size()];
        Class<?>[] types = new Class<?>[values.length];
        for (int i = 0; i < values.length; i++) {
            RecordComponent component = components().get(i);
            Object value = filling.of(component);
            values[i] = value == Absent.VALUE ? null : value;
            types[i] = component.getType();
        }
        return CallFacts.class.getDeclaredConstructor(types).newInstance(values);
    }

    private static Object get(RecordComponent component, CallFacts facts) throws Exception {
        return component.getAccessor().invoke(facts);
    }

    private static Object value(RecordComponent component, int which) {
        if (component.getName().equals("parameters")) {
            return "{\"a\":" + which + "}";
        }
        if (component.getName().equals("digestVersion")) {
            return 2 - which;
        }
        Class<?> type = component.getType();
        if (type == String.class) {
            return component.getName() + (which == 0 ? "" : which);
        }
        if (type == Instant.class) {
            return NOON.plusSeconds(component.getName().length()).plusMillis(which);
        }
        if (type == Integer.class) {
            return component.getName().length() + which;
        }
        if (type == boolean.class) {
            return which == 0;
        }
        if (type == BigDecimal.class) {
            return new BigDecimal("0.125").add(BigDecimal.valueOf(which));
        }
        return type.getEnumConstants()[which + 1 < type.getEnumConstants().length ? which + 1 : 0];
    }
}
