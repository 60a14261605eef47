package dev.toolgate.bench.load;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.store.Database;
import dev.toolgate.store.audit.query.AuditFilter;
import dev.toolgate.store.audit.query.AuditQueries;
import dev.toolgate.store.audit.query.AuditReadOptions;
import dev.toolgate.store.audit.rollup.AuditRollup;
import dev.toolgate.store.audit.rollup.AuditStatistics;
import dev.toolgate.store.audit.rollup.StatisticsQuery;
import dev.toolgate.store.audit.rollup.UsageQuery;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Locale;
import java.util.Random;

/**
 * The queries of the console on a large audit log. Targets at 5 million records: p95 of 200 ms for a page, 500 ms for a
 * histogram. The number of records is the first argument.
 */
final class AuditConsole {
    private static final int DEFAULT_RECORDS = 200_000;
    private static final int WARM_UP = 5;
    private static final int QUESTIONS = 40;
    private static final int PAGE = 100;
    private static final Duration WHOLE = Duration.ofDays(185);

    private AuditConsole() {}

    public static void main(String[] args) throws Exception {
        int count = args.length == 0 ? DEFAULT_RECORDS : Integer.parseInt(args[0]);
        try (TemporaryPostgres postgres = TemporaryPostgres.start();
                Database database = Database.open(postgres.home(), postgres.url())) {
            new ManyRecords(count).insert(database.jdbi());
            long start = System.nanoTime();
            database.jdbi().useHandle(handle -> handle.execute("""
                            INSERT INTO audit_instances (instance_id, process_id, last_hash, pruned_hash, last_sequence)
                            VALUES ('00000000-0000-0000-0000-000000000001', 1, '\\x00', '\\x00', ?)""", count));
            new AuditRollup(database.jdbi()).rebuild();
            database.jdbi().useHandle(handle -> handle.execute("ANALYZE audit_rollup"));
            System.out.printf(
                    Locale.ROOT,
                    "%nThe console and %,d records (load average %.1f on %d processors)%n  %-44s %.1f s%n",
                    count,
                    ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                    Runtime.getRuntime().availableProcessors(),
                    "all of them recounted",
                    (System.nanoTime() - start) / 1e9);
            pages(new AuditQueries(database.jdbi()));
            counts(database, new AuditStatistics(database.jdbi()));
        }
    }

    private static void pages(AuditQueries audit) {
        AuditFilter all = AuditFilter.of(ManyRecords.TENANT).kind(AuditLog.Kind.CALL);
        Random random = new Random(7);
        measure("a page", () -> audit.page(all, null, PAGE));
        measure(
                "a page of an agent",
                () -> audit.page(all.agent(ManyRecords.agent(random.nextInt(ManyRecords.AGENTS))), null, PAGE));
        measure("a page of refused calls", () -> audit.page(all.status(AuditLog.Status.REFUSED), null, PAGE));
        measure("a page of a key that made no calls", () -> audit.page(all.principal("nobody"), null, PAGE));
        measure(
                "a page of filters that never meet",
                () -> audit.page(all.tool("tool-1").error("PERMISSION_DENIED"), null, PAGE));
    }

    private static void counts(Database database, AuditStatistics statistics) {
        AuditFilter all = AuditFilter.of(ManyRecords.TENANT).kind(AuditLog.Kind.CALL);
        measure("histogram of a day by hour", () -> statistics.histogram(query(all, Duration.ofDays(1))));
        measure("histogram of half a year", () -> statistics.histogram(query(all, WHOLE)));
        measure("histogram of half a year, an agent", () -> statistics.histogram(query(all.agent("agent-7"), WHOLE)));
        measure("histogram of half a year, a tool", () -> statistics.histogram(query(all.tool("tool-7"), WHOLE)));
        measure("facets of a day", () -> statistics.facets(query(all, Duration.ofDays(1)), 10));
        measure("facets of half a year", () -> statistics.facets(query(all, WHOLE), 10));
        measure("a page of usage", () -> new UsageQuery(
                        ManyRecords.TENANT,
                        AuditReadOptions.Scope.EVERYTHING,
                        Instant.now().minus(WHOLE),
                        null,
                        null,
                        null)
                .read(database.jdbi(), PAGE));
    }

    private static StatisticsQuery query(AuditFilter filter, Duration period) {
        Instant now = Instant.now();
        return StatisticsQuery.of(
                filter,
                AuditReadOptions.Scope.EVERYTHING,
                now.minus(period),
                now,
                period.equals(WHOLE) ? ChronoUnit.DAYS : ChronoUnit.HOURS);
    }

    private static void measure(String what, Runnable question) {
        long[] nanos = new long[QUESTIONS];
        for (int i = -WARM_UP; i < QUESTIONS; i++) {
            long start = System.nanoTime();
            question.run();
            if (i >= 0) {
                nanos[i] = System.nanoTime() - start;
            }
        }
        Arrays.sort(nanos);
        System.out.printf(
                Locale.ROOT,
                "  %-44s p50 %.1f ms, p95 %.1f ms%n",
                what,
                nanos[QUESTIONS / 2] / 1e6,
                nanos[QUESTIONS * 95 / 100] / 1e6);
    }
}
