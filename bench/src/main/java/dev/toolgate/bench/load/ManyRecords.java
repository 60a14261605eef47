package dev.toolgate.bench.load;

import dev.toolgate.core.call.TenantId;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.generic.GenericType;

/** Generates half a year of records, evenly distributed over time and agents. Realistic, but without valid hashes. */
final class ManyRecords {
    static final TenantId TENANT = new TenantId("default");
    static final int AGENTS = 1_000;

    private static final int MONTHS = 6;

    private final Instant until = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    private final Instant from =
            until.atOffset(ZoneOffset.UTC).minusMonths(MONTHS).toInstant();
    private final int count;

    ManyRecords(int count) {
        this.count = count;
    }

    static String agent(int number) {
        return "agent-" + number;
    }

    /** The time since which there are this many records. */
    Instant beginOfLast(int records) {
        return until.minusMillis(ChronoUnit.MILLIS.between(from, until) * records / count);
    }

    /** Drops most indexes and creates them again afterwards, which takes a third of the time. */
    void insert(Jdbi jdbi) {
        jdbi.useHandle(handle -> {
            handle.execute("SET synchronous_commit = off");
            handle.execute("SET maintenance_work_mem = '512MB'");
            handle.createQuery("SELECT create_audit_partitions(:from, :months)")
                    .bind("from", LocalDate.ofInstant(from, ZoneOffset.UTC))
                    .bind("months", MONTHS)
                    .mapTo(Integer.class)
                    .one();
            Map<String, String> indexes = indexes(handle);
            indexes.keySet().forEach(name -> handle.execute("DROP INDEX " + name));
            rows(handle);
            indexes.values().forEach(handle::execute);
            handle.execute("ANALYZE tool_audit_logs");
        });
    }

    /** The definitions of the indexes by name. */
    private static Map<String, String> indexes(Handle handle) {
        return handle.createQuery("""
                        SELECT indexname, replace(indexdef, ' ON ONLY ', ' ON ') AS indexdef FROM pg_indexes
                        WHERE tablename = 'tool_audit_logs' AND indexname LIKE 'idx_%'""")
                .setMapKeyColumn("indexname")
                .setMapValueColumn("indexdef")
                .collectInto(new GenericType<Map<String, String>>() {});
    }

    private void rows(Handle handle) {
        handle.createUpdate("""
                        INSERT INTO tool_audit_logs (tenant_id, request_id, timestamp, agent_id, workspace_id, project_id,
                            tool_name, operation, parameters, allowed, status, error_code, denial_reason,
                            execution_time_ms, result_summary, principal, instance_id, sequence, previous_hash, hash)
                        SELECT :tenant, 'request-' || n,
                            :from::timestamptz + (:until::timestamptz - :from::timestamptz) * (n::float8 / :count),
                            'agent-' || floor(random() * :agents)::int, 'default', 'project-' || n % 50,
                            'tool-' || n % 20, 'execute',
                            jsonb_build_object('path', '/project/src/file-' || n % 1000, 'content', 'The quick brown fox'),
                            n % 10 <> 0, CASE WHEN n % 10 = 0 THEN 'REFUSED' ELSE 'COMPLETED' END,
                            CASE WHEN n % 10 = 0 THEN 'PERMISSION_DENIED' END,
                            CASE WHEN n % 10 = 0 THEN 'The tool was not granted to the agent' END,
                            n % 500, 'SUCCESS, 120 characters, 0 artifacts', 'bench',
                            '00000000-0000-0000-0000-000000000001', n, :hash, :hash
                        FROM generate_series(1, :count::bigint) AS n""")
                .bind("tenant", TENANT.value())
                .bind("from", from)
                .bind("until", until)
                .bind("count", count)
                .bind("agents", AGENTS)
                .bind("hash", new byte[32])
                .execute();
    }
}
