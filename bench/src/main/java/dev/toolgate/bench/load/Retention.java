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
import dev.toolgate.store.LongWork;
import dev.toolgate.store.audit.AuditRetention;
import dev.toolgate.store.audit.PostgresAuditLog;
import dev.toolgate.store.audit.RetentionSettings;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;

/**
 * How long nothing is recorded while retention drops a month of 2 million records. Bar: 100 ms. Beside it the way it was
 * done before, all under the lock of one transaction.
 */
final class Retention {
    private static final int RECORDS = 2_000_000;
    private static final int CALLERS = 8;
    private static final Duration UNTOUCHED = Duration.ofSeconds(5);
    private static final double BAR_MS = 100;

    private Retention() {}

    public static void main(String[] args) throws Exception {
        YearMonth old = YearMonth.now(ZoneOffset.UTC).minusMonths(15);
        YearMonth older = old.minusMonths(1);
        try (TemporaryPostgres postgres = TemporaryPostgres.start();
                Database database = Database.open(postgres.home(), postgres.url())) {
            Jdbi jdbi = database.jdbi();
            fill(jdbi, old);
            System.out.printf(
                    Locale.ROOT,
                    "%nDropping a month of %,d records while %d callers record (load average %.1f on %d processors)%n",
                    RECORDS,
                    CALLERS,
                    ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
                    Runtime.getRuntime().availableProcessors());
            measure(database, "nothing else going on", () -> Thread.sleep(UNTOUCHED));
            AuditRetention retention = new AuditRetention(jdbi, Clock.systemUTC(), RetentionSettings.usual(), null);
            measure(database, "retention (bar: " + BAR_MS + " ms)", () -> {
                var _ = retention.run();
            });
            fill(jdbi, older);
            measure(database, "the former way: detach, count and copy in one go", () -> formerWay(jdbi, older));
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    private static void measure(Database database, String what, Work work) throws Exception {
        AtomicLong last = new AtomicLong();
        AtomicLong longest = new AtomicLong();
        AtomicLong recorded = new AtomicLong();
        AtomicLong failed = new AtomicLong();
        AtomicBoolean over = new AtomicBoolean();
        try (PostgresAuditLog log = new PostgresAuditLog(database.sessions(), Duration.ofMillis(1500))) {
            log.record(entry());
            List<Thread> callers = IntStream.range(0, CALLERS)
                    .mapToObj(_ -> Thread.ofVirtual().start(() -> {
                        while (!over.get()) {
                            try {
                                log.record(entry());
                                long now = System.nanoTime();
                                long before = last.getAndSet(now);
                                if (before != 0) {
                                    longest.accumulateAndGet(now - before, Math::max);
                                }
                                recorded.incrementAndGet();
                            } catch (RuntimeException refused) {
                                failed.incrementAndGet();
                            }
                        }
                    }))
                    .toList();
            Thread.sleep(Duration.ofSeconds(1)); // until all are at it
            longest.set(0);
            long start = System.nanoTime();
            work.run();
            double seconds = (System.nanoTime() - start) / 1e9;
            over.set(true);
            for (Thread caller : callers) {
                caller.join();
            }
            System.out.printf(
                    Locale.ROOT,
                    "  %-50s %8.1f ms longest gap, %,d recorded and %,d refused in %.1f s%n",
                    what,
                    longest.get() / 1e6,
                    recorded.get(),
                    failed.get(),
                    seconds);
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
    private static void fill(Jdbi jdbi, YearMonth month) {
        UUID chain = UUID.randomUUID();
        jdbi.useHandle(handle -> {
            LongWork.with(handle);
            handle.execute("SET synchronous_commit = off");
            handle.execute("SELECT create_audit_partitions(?, 1)", month.atDay(1));
            handle.execute("""
                    INSERT INTO audit_instances (instance_id, process_id, ended_at, last_sequence, last_hash, pruned_hash)
                    VALUES (?, 1, CURRENT_TIMESTAMP, ?, sha256(?::text::bytea), decode(repeat('00', 32), 'hex'))""", chain, RECORDS, RECORDS);
            rows(handle, month, chain);
            handle.execute("ANALYZE tool_audit_logs");
        });
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
