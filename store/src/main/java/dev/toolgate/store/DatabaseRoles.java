package dev.toolgate.store;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Who may do what with the tables, set anew at every start: the gate may add audit records and read them, only the role
 * of retention may remove them. Where all are one role there is nothing to set.
 */
final class DatabaseRoles {
    /** Tables that make up the record of calls, beside the months. */
    private static final List<String> RECORDS = List.of("tool_audit_logs", "tool_audit_logs_rest");

    private DatabaseRoles() {}

    /** Sets what each role may do; as the owner, who must be a member of the role of retention. */
    static void apply(Connection owner, String gate, String retention) throws SQLException {
        String own = currentRole(owner);
        if (gate.equals(own)) {
            return;
        }
        owner.setAutoCommit(false);
        try (Statement sql = owner.createStatement()) {
            sql.execute("SELECT pg_advisory_xact_lock(21609, 0)"); // one instance at a time
            String gateRole = quoted(sql, gate);
            for (String grant : grants(gateRole)) {
                sql.execute(grant);
            }
            if (!retention.equals(own)) {
                String retentionRole = quoted(sql, retention);
                for (String grant : retentionGrants(retentionRole)) {
                    sql.execute(grant);
                }
                for (String table : notOwnedBy(sql, retention)) {
                    sql.execute("ALTER TABLE " + table + " OWNER TO " + retentionRole);
                }
            }
            for (String table : recordTables(sql)) {
                sql.execute("REVOKE ALL ON " + table + " FROM " + gateRole);
            }
            for (String table : RECORDS) {
                sql.execute("GRANT SELECT, INSERT ON " + table + " TO " + gateRole);
            }
        }
        owner.commit();
    }

    private static List<String> grants(String gate) {
        return List.of(
                "GRANT USAGE ON SCHEMA public TO " + gate,
                "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO " + gate,
                "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO " + gate,
                "REVOKE INSERT, UPDATE, DELETE ON flyway_schema_history FROM " + gate,
                "REVOKE UPDATE, DELETE ON audit_anchors FROM " + gate,
                "REVOKE UPDATE, DELETE ON audit_instances FROM " + gate,
                "GRANT UPDATE (last_sequence, last_hash, ended_at) ON audit_instances TO " + gate);
    }

    private static List<String> retentionGrants(String retention) {
        return List.of(
                "GRANT USAGE, CREATE ON SCHEMA public TO " + retention,
                "GRANT SELECT, DELETE, UPDATE (pruned_sequence, pruned_hash, pruned_tree) ON audit_instances TO "
                        + retention,
                "GRANT SELECT, DELETE ON audit_anchors TO " + retention,
                "GRANT SELECT, DELETE ON audit_checkpoints TO " + retention,
                "GRANT SELECT ON tool_intents TO " + retention,
                "GRANT SELECT, UPDATE, DELETE ON request_keys TO " + retention);
    }

    private static List<String> recordTables(Statement sql) throws SQLException {
        return names(sql, """
                SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'tool_audit_logs'::regclass
                UNION ALL SELECT unnest(ARRAY['tool_audit_logs', 'tool_audit_logs_rest'])""");
    }

    private static List<String> notOwnedBy(Statement sql, String role) throws SQLException {
        List<String> all = recordTables(sql);
        List<String> owned = names(
                sql,
                "SELECT oid::regclass::text FROM pg_class WHERE pg_get_userbyid(relowner) = '" + role.replace("'", "''")
                        + "'");
        return all.stream().filter(table -> !owned.contains(table)).toList();
    }

    /** The role that a connection works as. */
    static String currentRole(Connection connection) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            return names(sql, "SELECT current_user").getFirst();
        }
    }

    /** Whether the role of a connection can neither change nor delete audit records, nor become one that can. */
    static boolean isBarredFromRecords(Connection connection) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            return names(sql, """
                            SELECT count(*) FROM pg_roles r, unnest(ARRAY['tool_audit_logs', 'tool_audit_logs_rest']) AS t
                            WHERE pg_has_role(current_user, r.oid, 'MEMBER')
                              AND (r.rolsuper OR has_table_privilege(r.oid, t, 'UPDATE, DELETE, TRUNCATE'))""").getFirst().equals("0");
        }
    }

    private static String quoted(Statement sql, String role) throws SQLException {
        return names(sql, "SELECT quote_ident('" + role.replace("'", "''") + "')")
                .getFirst();
    }

    private static List<String> names(Statement sql, String query) throws SQLException {
        List<String> names = new ArrayList<>();
        try (ResultSet rows = sql.executeQuery(query)) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }
}
