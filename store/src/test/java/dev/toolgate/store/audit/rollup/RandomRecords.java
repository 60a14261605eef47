package dev.toolgate.store.audit.rollup;

import dev.toolgate.store.audit.AuditStore;
import java.util.UUID;

/** Chains of random records of two tenants over three days, written without an audit log. */
final class RandomRecords {
    private final AuditStore store;

    RandomRecords(AuditStore store) {
        this.store = store;
    }

    /** A new chain. */
    UUID chain(int records) {
        UUID chain = UUID.randomUUID();
        store.sql("""
                INSERT INTO audit_instances (instance_id, process_id, last_hash, pruned_hash)
                VALUES ('%s', 1, '\\x00', '\\x00')""".formatted(chain));
        append(chain, records);
        return chain;
    }

    /** More records of a chain, in one transaction with its head. */
    void append(UUID chain, int records) {
        store.sql("""
                WITH head AS (
                    UPDATE audit_instances SET last_sequence = last_sequence + %2$d WHERE instance_id = '%1$s'
                    RETURNING last_sequence - %2$d AS last)
                INSERT INTO tool_audit_logs (tenant_id, request_id, timestamp, agent_id, workspace_id, project_id, tool_name,
                    operation, parameters, kind, allowed, status, error_code, execution_time_ms, cost, principal, instance_id,
                    sequence, previous_hash, hash)
                SELECT CASE WHEN a < 0.8 THEN 'acme' ELSE 'other' END, 'r' || last + n,
                    '2026-03-10T00:00:00Z'::timestamptz + random() * interval '3 days', 'agent-' || floor(random() * 5), 'w',
                    'project-' || floor(random() * 3), 'tool-' || floor(random() * 4), 'run', '{}',
                    CASE WHEN a < 0.9 THEN 'call' ELSE 'administration' END, a < 0.6,
                    CASE WHEN a < 0.5 THEN 'COMPLETED' WHEN a < 0.6 THEN 'FAILED' ELSE 'REFUSED' END,
                    CASE WHEN a >= 0.5 AND a < 0.6 THEN 'TOOL_EXECUTION_FAILED' WHEN a >= 0.6 THEN 'PERMISSION_DENIED' END,
                    CASE WHEN a < 0.55 THEN floor(random() * 100)::int END, CASE WHEN a < 0.3 THEN 0.25 END,
                    'key:' || floor(random() * 3), '%1$s', last + n, '\\x00', '\\x00'
                FROM head, (SELECT n, random() AS a FROM generate_series(1, %2$d) AS n) AS made""".formatted(chain, records));
    }
}
