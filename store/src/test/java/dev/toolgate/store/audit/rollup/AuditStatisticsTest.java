package dev.toolgate.store.audit.rollup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.audit.AuditStore;
import dev.toolgate.store.audit.query.AuditFilter;
import dev.toolgate.store.audit.query.AuditReadOptions;
import dev.toolgate.store.audit.record.AuditTables;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Counts agree with the records for random data, of which some is in the rollup and some is not. */
class AuditStatisticsTest {
    private static final Instant START = Instant.parse("2026-03-10T00:00:00Z");
    private static final AuditFilter ALL = AuditFilter.of(AuditStore.ACME);

    private static AuditStore store;
    private static AuditStatistics statistics;
    private static List<Found> everything;
    private static List<Found> ofKnownAgents;

    @BeforeAll
    static void write() throws Exception {
        store = AuditStore.open();
        statistics = new AuditStatistics(store.database().jdbi());
        AuditRollup rollup = new AuditRollup(store.database().jdbi());
        RandomRecords records = new RandomRecords(store);
        UUID chain = records.chain(3000);
        rollup.step();
        records.append(chain, 400);
        records.chain(300);
        store.sql("INSERT INTO tenants (tenant_id, name) VALUES ('acme', 'Acme')");
        store.sql("INSERT INTO agents (tenant_id, agent_id) VALUES ('acme', 'agent-1'), ('acme', 'agent-3')");
        everything = read(AuditReadOptions.Scope.EVERYTHING);
        ofKnownAgents = read(AuditReadOptions.Scope.KNOWN_AGENTS);
    }

    @AfterAll
    static void close() throws Exception {
        store.close();
    }

    @Test
    void histograms_and_facets_agree_with_the_records_for_random_queries() {
        Random random = new Random(42);
        for (int i = 0; i < 60; i++) {
            StatisticsQuery query = random(random);
            AuditHistogram histogram = statistics.histogram(query);
            assertThat(histogram.approximate()).isFalse();
            assertThat(flat(histogram)).as(query.toString()).isEqualTo(expected(query));

            for (AuditFacet facet : statistics.facets(query, 100)) {
                assertThat(facet.approximate() || facet.isCut()).isFalse();
                assertThat(facet.values().stream()
                                .map(count -> count.value() + "=" + count.records())
                                .toList())
                        .as("%s of %s", facet.column(), query)
                        .containsExactlyInAnyOrderElementsOf(expected(query, facet.column()));
            }
        }
    }

    private static StatisticsQuery random(Random random) {
        List<UnaryOperator<AuditFilter>> filters = List.of(
                filter -> filter.agent("agent-" + random.nextInt(5)),
                filter -> filter.tool("tool-" + random.nextInt(4)),
                filter -> filter.status(List.of(AuditLog.Status.values()).get(random.nextInt(4))),
                filter -> filter.allowed(random.nextBoolean()),
                filter -> filter.error("PERMISSION_DENIED"),
                filter -> filter.kind(AuditLog.Kind.CALL),
                filter -> filter.principal("key:1"),
                filter -> filter.project("project-2"));
        AuditFilter filter = ALL;
        for (UnaryOperator<AuditFilter> with : filters) {
            filter = random.nextInt(4) == 0 ? with.apply(filter) : filter;
        }
        Instant from = START.plus(Duration.ofMinutes(random.nextInt(48 * 60)));
        return StatisticsQuery.of(
                filter,
                random.nextInt(3) == 0 ? AuditReadOptions.Scope.KNOWN_AGENTS : AuditReadOptions.Scope.EVERYTHING,
                from,
                from.plus(Duration.ofMinutes(random.nextInt(40 * 60))),
                List.of(ChronoUnit.MINUTES, ChronoUnit.HOURS, ChronoUnit.DAYS).get(random.nextInt(3)));
    }

    @Test
    void another_tenant_is_not_counted() {
        StatisticsQuery nobody = query(AuditFilter.of(new TenantId("nobody")), ChronoUnit.HOURS);

        assertThat(statistics.histogram(nobody).buckets()).isEmpty();
        assertThat(statistics.facets(nobody, 10))
                .allSatisfy(facet -> assertThat(facet.values()).isEmpty());
        assertThat(usage(new TenantId("nobody"), AuditReadOptions.Scope.EVERYTHING, null, 10)
                        .usage())
                .isEmpty();
    }

    @Test
    void facets_have_the_most_frequent_values_and_say_that_there_are_more() {
        AuditFacet agents = statistics.facets(query(ALL, ChronoUnit.HOURS), 2).getFirst();

        assertThat(agents.values()).hasSize(2);
        assertThat(agents.isCut()).isTrue();
        assertThat(agents.values().getFirst().records())
                .isGreaterThanOrEqualTo(agents.values().getLast().records());
    }

    @Test
    void usage_agrees_with_the_records_and_its_pages_have_no_gaps() {
        for (AuditReadOptions.Scope scope : AuditReadOptions.Scope.values()) {
            List<String> found = new ArrayList<>();
            UsageQuery.@Nullable Place after = null;
            do {
                List<ToolUsage> page = usage(AuditStore.ACME, scope, after, 3).usage();
                page.forEach(usage -> found.add(usage.agentId() + " " + usage.toolName() + " " + usage.calls() + " "
                        + usage.refused() + " " + usage.failed() + " " + usage.lastUsedAt() + " "
                        + usage.cost().setScale(6)));
                after = page.isEmpty()
                        ? null
                        : new UsageQuery.Place(
                                page.getLast().agentId(), page.getLast().toolName());
            } while (after != null);
            assertThat(found).as(scope.name()).isEqualTo(expectedUsage(scope));
        }
    }

    private static UsageQuery.Page usage(
            TenantId tenant, AuditReadOptions.Scope scope, UsageQuery.@Nullable Place after, int limit) {
        return new UsageQuery(tenant, scope, START.plus(Duration.ofHours(20)), null, null, after)
                .read(store.database().jdbi(), limit);
    }

    private static List<String> expectedUsage(AuditReadOptions.Scope scope) {
        return store.database().jdbi().withHandle(handle -> handle.createQuery(
                        """
                        SELECT agent_id, tool_name, count(*), count(*) FILTER (WHERE NOT allowed),
                            count(*) FILTER (WHERE allowed AND status <> 'COMPLETED'), max(timestamp) FILTER (WHERE allowed) AS used,
                            coalesce(sum(cost), 0)
                        FROM %s WHERE tenant_id = 'acme' AND kind = 'call' AND timestamp >= '2026-03-10T20:00:00Z' %s
                        GROUP BY 1, 2 ORDER BY 1, 2""".formatted(AuditTables.ALL, condition(scope)))
                .map((row, _) -> row.getString(1) + " " + row.getString(2) + " " + row.getLong(3) + " " + row.getLong(4)
                        + " " + row.getLong(5) + " "
                        + row.getObject(6, OffsetDateTime.class).toInstant() + " "
                        + row.getBigDecimal(7).setScale(6))
                .list());
    }

    @Test
    void counts_say_when_they_are_behind_or_bounded() throws Exception {
        try (AuditStore own = AuditStore.open()) {
            AuditStatistics other = new AuditStatistics(own.database().jdbi());
            RandomRecords records = new RandomRecords(own);
            records.chain(60_000);
            StatisticsQuery hours = query(ALL, ChronoUnit.HOURS);

            assertThat(other.histogram(hours).approximate()).isTrue();
            assertThat(other.facets(hours, 3)).allMatch(AuditFacet::approximate);
            assertThat(new UsageQuery(AuditStore.ACME, AuditReadOptions.Scope.EVERYTHING, START, null, null, null)
                            .read(own.database().jdbi(), 5)
                            .approximate())
                    .isTrue();
            new AuditRollup(own.database().jdbi()).rebuild();
            assertThat(other.histogram(hours).approximate()).isFalse();
            assertThat(other.histogram(query(ALL.principal("key:1"), ChronoUnit.HOURS))
                            .approximate())
                    .isFalse();
            records.chain(10_000);
            assertThat(other.histogram(query(ALL.principal("key:1"), ChronoUnit.HOURS))
                            .approximate())
                    .isTrue();
            assertThat(other.facets(query(ALL.principal("nobody"), ChronoUnit.HOURS), 3))
                    .allMatch(AuditFacet::approximate);
        }
    }

    private static StatisticsQuery query(AuditFilter filter, ChronoUnit unit) {
        return StatisticsQuery.of(
                filter, AuditReadOptions.Scope.EVERYTHING, START, START.plus(Duration.ofDays(3)), unit);
    }

    private static Map<String, Long> flat(AuditHistogram histogram) {
        Map<String, Long> flat = new TreeMap<>();
        histogram.buckets().forEach((time, counts) -> counts.forEach((status, n) -> flat.put(time + " " + status, n)));
        return flat;
    }

    private static Map<String, Long> expected(StatisticsQuery query) {
        Map<String, Long> counts = new TreeMap<>();
        matching(query)
                .forEach(found ->
                        counts.merge(found.at().truncatedTo(query.unit()) + " " + found.status(), 1L, Long::sum));
        return counts;
    }

    private static List<String> expected(StatisticsQuery query, AuditFacet.Column column) {
        Map<String, Long> counts = new TreeMap<>();
        for (Found found : matching(query)) {
            String value = found.value(column);
            if (value != null) {
                counts.merge(value, 1L, Long::sum);
            }
        }
        return counts.entrySet().stream()
                .map(count -> count.getKey() + "=" + count.getValue())
                .toList();
    }

    /** The values of a record in the columns that are counted or filtered. */
    private record Found(
            Instant at,
            String agentId,
            String toolName,
            String status,
            boolean allowed,
            @Nullable String errorCode,
            String kind,
            @Nullable String principal,
            @Nullable String projectId) {

        @Nullable
        String value(AuditFacet.Column column) {
            return switch (column) {
                case AGENT_ID -> agentId;
                case TOOL_NAME -> toolName;
                case STATUS -> status;
                case ERROR_CODE -> errorCode;
                case KIND -> kind;
            };
        }

        boolean matches(AuditFilter filter) {
            return is(filter.agentId(), agentId)
                    && is(filter.toolName(), toolName)
                    && is(filter.status() == null ? null : filter.status().name(), status)
                    && (filter.allowed() == null || filter.allowed() == allowed)
                    && is(filter.errorCode(), errorCode)
                    && is(filter.kind() == null ? null : filter.kind().wireName(), kind)
                    && is(filter.principal(), principal)
                    && is(filter.projectId(), projectId);
        }

        private static boolean is(@Nullable String wanted, @Nullable String value) {
            return wanted == null || wanted.equals(value);
        }
    }

    private static List<Found> matching(StatisticsQuery query) {
        return (query.scope() == AuditReadOptions.Scope.EVERYTHING ? everything : ofKnownAgents)
                .stream()
                        .filter(found -> found.matches(query.filter()))
                        .filter(found ->
                                !found.at().isBefore(query.from()) && found.at().isBefore(query.until()))
                        .toList();
    }

    private static List<Found> read(AuditReadOptions.Scope scope) {
        return store.database().jdbi().withHandle(handle -> handle.createQuery(
                        """
                        SELECT timestamp, agent_id, tool_name, status, allowed, error_code, kind, principal, project_id
                        FROM %s WHERE tenant_id = 'acme' %s""".formatted(AuditTables.ALL, condition(scope)))
                .map((row, _) -> new Found(
                        row.getObject(1, OffsetDateTime.class).toInstant(),
                        row.getString(2),
                        row.getString(3),
                        row.getString(4),
                        row.getBoolean(5),
                        row.getString(6),
                        row.getString(7),
                        row.getString(8),
                        row.getString(9)))
                .list());
    }

    private static String condition(AuditReadOptions.Scope scope) {
        return scope == AuditReadOptions.Scope.EVERYTHING
                ? ""
                : "AND kind = 'call' AND agent_id IN ('agent-1', 'agent-3')";
    }
}
