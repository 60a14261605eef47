package dev.toolgate.tools.database;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;

/** A database whose account owns the tables, so that only the tool prevents writing. */
final class PostgresShop {
    static final String PASSWORD = "planted-postgres-password";

    final String database = "shop_" + UUID.randomUUID().toString().substring(0, 8);
    final String user = "clerk_" + UUID.randomUUID().toString().substring(0, 8);

    PostgresShop() throws SQLException {
        try (Connection connection = PostgresServer.connect("postgres");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + database);
        }
        execute("CREATE ROLE " + user + " LOGIN PASSWORD '" + PASSWORD + "'");
        execute("GRANT ALL ON SCHEMA public TO " + user);
        execute("CREATE TABLE orders (id INT PRIMARY KEY, status TEXT NOT NULL)");
        execute(
                "INSERT INTO orders SELECT n, CASE WHEN n % 2 = 0 THEN 'pending' ELSE 'sent' END FROM generate_series(1, 300) n");
        execute("CREATE SEQUENCE numbers");
        execute("CREATE FUNCTION wipe() RETURNS INT LANGUAGE plpgsql SECURITY DEFINER AS"
                + " 'BEGIN DELETE FROM orders; RETURN 1; END'");
        execute("CREATE FUNCTION unlock() RETURNS INT LANGUAGE plpgsql AS"
                + " 'BEGIN SET TRANSACTION READ WRITE; DELETE FROM orders; RETURN 1; END'");
        execute("CREATE PROCEDURE clear() LANGUAGE plpgsql AS"
                + " 'BEGIN COMMIT; SET TRANSACTION READ WRITE; DELETE FROM orders; COMMIT; END'");
        execute("CREATE VIEW trap AS SELECT wipe()");
        execute("ALTER TABLE orders OWNER TO " + user);
        execute("ALTER SEQUENCE numbers OWNER TO " + user);
    }

    DatabaseTarget target() {
        return ShopQueries.target(PostgresServer.url(database), user);
    }

    void execute(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    String one(String sql) throws SQLException {
        try (Connection connection = connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return String.valueOf(row.getString(1));
        }
    }

    /** The complete state an attack could change, as text. */
    String state() throws SQLException {
        return one("""
                SELECT (SELECT count(*) || md5(string_agg(o::text, ',' ORDER BY id)) FROM orders o)
                    || (SELECT last_value || is_called::text FROM numbers)
                    || (SELECT string_agg(relname, ',' ORDER BY relname) FROM pg_class WHERE relnamespace = 'public'::regnamespace)
                    || (SELECT count(*) FROM pg_largeobject_metadata) || (SELECT count(*) FROM pg_prepared_xacts)
                    || (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory')
                    || (SELECT count(*) FROM pg_replication_slots)""");
    }

    private Connection connect() throws SQLException {
        return PostgresServer.connect(database);
    }
}
