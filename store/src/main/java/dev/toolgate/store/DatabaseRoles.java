package dev.toolgate.store;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Grants each database role its privileges, at a start that finds them changed: the gate may insert and read audit
 * records, only the retention role may delete them.
 */
final class DatabaseRoles {
    /** The tables with audit records, besides the monthly partitions. */
    private static final List<String> RECORDS = List.of("tool_audit_logs", "tool_audit_logs_rest");

    /** A digest of all privileges on tables and sequences, which changes with any of them. */
    private static final String PRIVILEGES = """
            SELECT md5(string_agg(concat_ws('|', c.relname, c.relowner, c.relacl, a.attname, a.attacl), ';'
                       ORDER BY c.relname, a.attname))
            FROM pg_class c
            LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attacl IS NOT NULL
            WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'S')""";

    private DatabaseRoles() {}

    /**
     * Whether neither the grants of this program nor the privileges in the database have changed since {@link
     * #remember}.
     */
    static boolean areApplied(Connection owner, String gate, String retention) throws SQLException {
        try (Statement sql = owner.createStatement()) {
            return names(sql, "SELECT privileges FROM applied_migrations WHERE privileges IS NOT NULL")
                    .equals(List.of(fingerprint(sql, gate, retention)));
        }
    }

    /** Stores that the privileges have been granted. */
    static void remember(Connection owner, String gate, String retention) throws SQLException {
        try (Statement sql = owner.createStatement();
                PreparedStatement update = owner.prepareStatement("UPDATE applied_migrations SET privileges = ?")) {
            update.setString(1, fingerprint(sql, gate, retention));
            update.executeUpdate();
        }
    }

    private static String fingerprint(Statement sql, String gate, String retention) throws SQLException {
        return names(sql, PRIVILEGES).getFirst() + " "
                + Integer.toHexString(
                        List.of(grants(gate), retentionGrants(retention)).hashCode());
    }

    /** Grants the privileges, as the owner, which must be a member of the retention role. */
    static void apply(Connection owner, String gate, String retention) throws SQLException {
        String own = currentRole(owner);
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
        owner.setAutoCommit(true);
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

    /** The current role of a connection. */
    static String currentRole(Connection connection) throws SQLException {
        try (Statement sql = connection.createStatement()) {
            return names(sql, "SELECT current_user").getFirst();
        }
    }

    /** Whether a role cannot modify audit records, nor switch to a role that can. */
    static boolean isBarredFromRecords(Connection connection, String role) throws SQLException {
        try (PreparedStatement sql = connection.prepareStatement("""
                SELECT count(*) = 0 FROM pg_roles r, unnest(ARRAY['tool_audit_logs', 'tool_audit_logs_rest']) AS t
                WHERE pg_has_role(?, r.oid, 'MEMBER')
                  AND (r.rolsuper OR has_table_privilege(r.oid, t, 'UPDATE, DELETE, TRUNCATE'))""")) {
            sql.setString(1, role);
            try (ResultSet row = sql.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
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
