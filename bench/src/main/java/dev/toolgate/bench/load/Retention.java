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
import dev.toolgate.store.connection.LongStatements;
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
 * Measures the longest gap without a new record while retention drops a month of 2 million records, and the statement
 * during which it happened. Target: 100 ms. For comparison: an equally long time without retention, and the former
 * implementation in one transaction.
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
        try (TemporaryPostgres postgres = TemporaryPostgres.start()) {
            fill(postgres, old);
            System.out.printf(
                    Locale.ROOT,
                    "%nDropping a month of %,d records while %d callers record (load average %.1f on %d processors)%n",
                    RECORDS,
                    CALLERS,
                    ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                    Runtime.getRuntime().availableProcessors());
            Duration took = measure(postgres, "retention (bar: " + BAR_MS + " ms)", jdbi -> {
                var _ = new AuditRetention(jdbi, Clock.systemUTC(), RetentionSettings.defaults(), null).run();
            });
            measure(postgres, "nothing else going on, for as long", _ -> Thread.sleep(took));
            fill(postgres, older);
            measure(postgres, "the former way: detach, count and copy in one go", jdbi -> formerWay(jdbi, older));
        }
    }

    private interface Work {
        /** With connections of the role of retention. */
        void run(Jdbi jdbi) throws Exception;
    }

    /** The current statement of the retention connections. */
    private static final class CurrentStatement implements SqlLogger {
        private static final int MAX_LENGTH = 70;
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
            return sql.length() <= MAX_LENGTH ? sql : sql.substring(0, MAX_LENGTH);
        }
    }

    /** The longest gaps between records, by the statement that was running at their end. */
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

    private static Duration measure(TemporaryPostgres postgres, String what, Work work) throws Exception {
        postgres.restart(); // so that no measurement pays for writing what was done before it
        new ProcessBuilder("sync").start().waitFor();
        CurrentStatement statement = new CurrentStatement();
        Gaps gaps = new Gaps(statement);
        AtomicBoolean over = new AtomicBoolean();
        try (Database database = Database.open(postgres.home(), postgres.url());
                PostgresAuditLog log = new PostgresAuditLog(database.unpooled(), Duration.ofMillis(1500))) {
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
            work.run(database.retention().setSqlLogger(statement));
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
                        Caller.ofAgent(
                                new TenantId("default"), new AgentId("agent-1"), null, new WorkspaceId("default")),
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

    /** Fills a month with one chain, a tenth of it refused calls. */
    private static void fill(TemporaryPostgres postgres, YearMonth month) throws Exception {
        UUID chain = UUID.randomUUID();
        try (Database database = Database.open(postgres.home(), postgres.url())) {
            database.retention()
                    .useHandle(
                            handle -> { // a separate connection, so that its settings do not affect others
                                LongStatements.allow(handle);
                                handle.execute("SET synchronous_commit = off");
                                handle.execute("SELECT create_audit_partitions(?, 1)", month.atDay(1));
                                handle.execute("""
                    INSERT INTO audit_instances (instance_id, process_id, ended_at, last_sequence, last_hash, pruned_hash)
                    VALUES (?, 1, CURRENT_TIMESTAMP, ?, sha256(?::text::bytea), decode(repeat('00', 32), 'hex'))""", chain, RECORDS, RECORDS);
                                rows(handle, month, chain);
                                // Like a past month.
                                handle.execute("VACUUM (ANALYZE) tool_audit_logs");
                            });
        }
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
            LongStatements.allow(handle);
            handle.execute("ALTER TABLE tool_audit_logs DETACH PARTITION " + partition);
            handle.createQuery("SELECT count(*) FROM " + partition)
                    .mapTo(Long.class)
                    .one();
            handle.execute("INSERT INTO tool_audit_logs_rest SELECT * FROM " + partition + " WHERE NOT allowed");
            handle.execute("DROP TABLE " + partition);
        });
    }
}
