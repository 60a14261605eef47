package dev.toolgate.bench.load;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.json.Json;
import dev.toolgate.store.Database;
import dev.toolgate.store.audit.retention.AuditRetention;
import dev.toolgate.store.audit.retention.RetentionSettings;
import dev.toolgate.store.audit.write.PostgresAuditLog;
import dev.toolgate.store.connection.LongWork;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.SqlLogger;
import org.jdbi.v3.core.statement.StatementContext;

/**
 * The longest time without a new record while retention drops a month of 2 million records, and during which statement
 * it was. Bar: 100 ms. Beside it as long a time in which nothing else is done, and the way it was done before, all
 * under the lock of one transaction.
 */
final class Retention {
    private static final int RECORDS = 2_000_000;
    private static final int CALLERS = 8;
    private static final Duration WARM_UP = Duration.ofSeconds(5);
    private static final double BAR_MS = 100;

    private Retention() {}

    public static void main(String[] args) throws Exception {
        YearMonth old = YearMonth.now(ZoneOffset.UTC).minusMonths(15);
        YearMonth older = old.minusMonths(1);
        try (TemporaryPostgres postgres = TemporaryPostgres.start();
                Database database = Database.open(postgres.home(), postgres.url())) {
            fill(database, old);
            System.out.printf(
                    Locale.ROOT,
                    "%nDropping a month of %,d records while %d callers record (load average %.1f on %d processors)%n",
                    RECORDS,
                    CALLERS,
                    ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                    Runtime.getRuntime().availableProcessors());
            CurrentStatement statement = new CurrentStatement();
            Jdbi watched = database.retention().setSqlLogger(statement);
            AuditRetention retention = new AuditRetention(watched, Clock.systemUTC(), RetentionSettings.usual(), null);
            Duration took = measure(database, statement, "retention (bar: " + BAR_MS + " ms)", () -> {
                var _ = retention.run();
            });
            measure(database, statement, "nothing else going on, for as long", () -> Thread.sleep(took));
            fill(database, older);
            measure(
                    database,
                    statement,
                    "the former way: detach, count and copy in one go",
                    () -> formerWay(watched, older));
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    /** What the connections of retention are at. */
    private static final class CurrentStatement implements SqlLogger {
        private static final int LONGEST = 70;
        private volatile String text = "";

        @Override
        public void logBeforeExecution(StatementContext context) {
            text = shown(context);
        }

        @Override
        public void logAfterExecution(StatementContext context) {
            text = "after " + shown(context);
        }

        private static String shown(StatementContext context) {
            String sql = String.valueOf(context.getRenderedSql()).strip().replaceAll("\\s+", " ");
            return sql.length() <= LONGEST ? sql : sql.substring(0, LONGEST);
        }
    }

    /** The longest times without a record, by what went on when they ended. */
    private static final class Gaps {
        private final CurrentStatement statement;
        private final Map<String, Long> longest = new ConcurrentHashMap<>();
        private final AtomicLong last = new AtomicLong();
        private final AtomicLong recorded = new AtomicLong();
        private final AtomicLong overBar = new AtomicLong();
        private final AtomicLong overHalf = new AtomicLong();
        private final AtomicLong refused = new AtomicLong();

        Gaps(CurrentStatement statement) {
            this.statement = statement;
        }

        void recorded() {
            long now = System.nanoTime();
            long gap = now - last.getAndSet(now);
            longest.merge(statement.text, gap, Math::max);
            recorded.incrementAndGet();
            if (gap > BAR_MS * 1e6) {
                overBar.incrementAndGet();
            }
            if (gap > BAR_MS * 5e5) {
                overHalf.incrementAndGet();
            }
        }

        void begin() {
            longest.clear();
            recorded.set(0);
            overBar.set(0);
            overHalf.set(0);
            refused.set(0);
        }

        void print(String what, Duration took) {
            System.out.printf(
                    Locale.ROOT,
                    "  %-50s %8.1f ms longest gap, %d over 100 ms and %d over 50 ms; %,d recorded and %,d refused"
                            + " in %.1f s%n",
                    what,
                    Collections.max(longest.values()) / 1e6,
                    overBar.get(),
                    overHalf.get(),
                    recorded.get(),
                    refused.get(),
                    took.toMillis() / 1e3);
            longest.entrySet().stream()
                    .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                    .limit(5)
                    .filter(gap -> !gap.getKey().isEmpty())
                    .forEach(gap -> System.out.printf(
                            Locale.ROOT, "    %8.1f ms in: %s%n", gap.getValue() / 1e6, gap.getKey()));
        }
    }

    private static Duration measure(Database database, CurrentStatement statement, String what, Work work)
            throws Exception {
        statement.text = "";
        Gaps gaps = new Gaps(statement);
        AtomicBoolean over = new AtomicBoolean();
        try (PostgresAuditLog log = new PostgresAuditLog(database.sessions(), Duration.ofMillis(1500))) {
            log.record(entry());
            List<Thread> callers = IntStream.range(0, CALLERS)
                    .mapToObj(_ -> Thread.ofVirtual().start(() -> {
                        while (!over.get()) {
                            try {
                                log.record(entry());
                                gaps.recorded();
                            } catch (RuntimeException refused) {
                                gaps.refused.incrementAndGet();
                            }
                        }
                    }))
                    .toList();
            Thread.sleep(WARM_UP);
            gaps.begin();
            long start = System.nanoTime();
            work.run();
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            over.set(true);
            for (Thread caller : callers) {
                caller.join();
            }
            gaps.print(what, took);
            return took;
        }
    }

    private static AuditLog.Entry entry() {
        return new AuditLog.Entry(
                new AuditLog.Intent(
                        AuditLog.Kind.CALL,
                        new RequestId(UUID.randomUUID().toString()),
                        new Caller(new TenantId("default"), new AgentId("agent-1"), null, new WorkspaceId("default")),
                        CallContext.NONE,
                        null,
                        "noop",
                        "execute",
                        Json.MAPPER.createObjectNode().put("path", "/project/file"),
                        null,
                        null,
                        Instant.now()),
                Duration.ofMillis(1),
                AuditLog.Status.COMPLETED,
                null,
                null,
                AuditLog.Approval.NONE,
                "SUCCESS",
                null);
    }

    /** A month of one chain, a tenth of it refused calls. */
    private static void fill(Database database, YearMonth month) throws Exception {
        UUID chain = UUID.randomUUID();
        database.retention()
                .useHandle(
                        handle -> { // a connection of its own, which keeps no settings for others
                            LongWork.with(handle);
                            handle.execute("SET synchronous_commit = off");
                            handle.execute("SELECT create_audit_partitions(?, 1)", month.atDay(1));
                            handle.execute("""
                    INSERT INTO audit_instances (instance_id, process_id, ended_at, last_sequence, last_hash, pruned_hash)
                    VALUES (?, 1, CURRENT_TIMESTAMP, ?, sha256(?::text::bytea), decode(repeat('00', 32), 'hex'))""", chain, RECORDS, RECORDS);
                            rows(handle, month, chain);
                            // As a month that is over is found: vacuumed, and written to the disk.
                            handle.execute("VACUUM (ANALYZE) tool_audit_logs");
                        });
        new ProcessBuilder("sync").start().waitFor();
    }

    private static void rows(Handle handle, YearMonth month, UUID chain) {
        handle.createUpdate("""
                        INSERT INTO tool_audit_logs (tenant_id, request_id, timestamp, agent_id, workspace_id, tool_name,
                            operation, parameters, allowed, status, result_summary, instance_id, sequence, previous_hash,
                            hash)
                        SELECT 'default', 'request-' || n, :from::timestamptz + interval '1 second' * n, 'agent-' || n % 1000,
                            'default', 'tool-' || n % 20, 'execute', jsonb_build_object('path', '/project/file-' || n),
                            n % 10 <> 0, CASE WHEN n % 10 = 0 THEN 'REFUSED' ELSE 'COMPLETED' END, 'SUCCESS', :chain, n,
                            sha256((n - 1)::text::bytea), sha256(n::text::bytea)
                        FROM generate_series(1, :count::bigint) AS n""")
                .bind("from", month.atDay(1).atStartOfDay().atOffset(ZoneOffset.UTC))
                .bind("chain", chain)
                .bind("count", RECORDS)
                .execute();
    }

    private static void formerWay(Jdbi jdbi, YearMonth month) {
        String partition = "tool_audit_logs_" + month.toString().replace('-', '_');
        jdbi.useTransaction(handle -> {
            LongWork.with(handle);
            handle.execute("ALTER TABLE tool_audit_logs DETACH PARTITION " + partition);
            handle.createQuery("SELECT count(*) FROM " + partition)
                    .mapTo(Long.class)
                    .one();
            handle.execute("INSERT INTO tool_audit_logs_rest SELECT * FROM " + partition + " WHERE NOT allowed");
            handle.execute("DROP TABLE " + partition);
        });
    }
}
