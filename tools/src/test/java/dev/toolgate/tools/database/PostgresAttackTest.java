package dev.toolgate.tools.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.tool.ToolFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Attempts to write through the tool, on a PostgreSQL whose account owns the tables. */
@Timeout(120)
class PostgresAttackTest {
    @TempDir
    private static Path folder;

    private static PostgresShop shop;
    private static ShopQueries queries;

    @BeforeAll
    static void open() throws Exception {
        shop = new PostgresShop();
        queries = new ShopQueries(shop.target(), PostgresShop.PASSWORD, folder);
    }

    @AfterAll
    static void close() {
        queries.close();
    }

    static Stream<String> attacks() {
        return Stream.of(
                "DELETE FROM orders",
                "DELETE FROM orders RETURNING id",
                "WITH gone AS (DELETE FROM orders RETURNING id) SELECT count(*) FROM gone",
                "WITH more AS (INSERT INTO orders VALUES (9999, 'x') RETURNING id) SELECT id FROM more",
                "SELECT wipe()",
                "SELECT unlock()",
                "SELECT * FROM trap",
                "SELECT * FROM orders WHERE wipe() = 1",
                "CALL clear()",
                "SELECT * INTO stolen FROM orders",
                "CREATE TABLE stolen AS SELECT * FROM orders",
                "SELECT nextval('numbers')",
                "SELECT setval('numbers', 4711)",
                "SELECT 1; DELETE FROM orders",
                "SELECT 1; COMMIT; DELETE FROM orders",
                "SELECT 1; COMMIT; SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE; DELETE FROM orders; BEGIN",
                "SELECT 1; ROLLBACK; BEGIN READ WRITE; DELETE FROM orders; COMMIT",
                "SELECT $a$;$a$; COMMIT; DELETE FROM orders",
                "SELECT '\\'; COMMIT; DELETE FROM orders; --",
                "COMMIT",
                "SET TRANSACTION READ WRITE",
                "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE",
                "SET default_transaction_read_only = off",
                "SELECT set_config('transaction_read_only', 'off', true), wipe()",
                "SELECT set_config('transaction_read_only', 'off', false)",
                "PREPARE gone AS DELETE FROM orders",
                "EXECUTE gone",
                "DO $$ BEGIN DELETE FROM orders; END $$",
                "COPY orders TO PROGRAM 'touch %s/pwned'",
                "COPY (SELECT 1) TO '%s/pwned'",
                "COPY orders FROM PROGRAM 'echo 1,x'",
                "SELECT lo_export(lo_creat(-1), '%s/pwned')",
                "SELECT lo_from_bytea(0, 'x')",
                "SELECT pg_read_file('/etc/passwd')",
                "SELECT pg_ls_dir('/')",
                "SELECT pg_create_physical_replication_slot('stolen')",
                "SELECT pg_reload_conf()",
                "SELECT * FROM orders FOR UPDATE",
                "LOCK TABLE orders IN ACCESS EXCLUSIVE MODE",
                "TRUNCATE orders",
                "DROP TABLE orders",
                "PREPARE TRANSACTION 'stolen'",
                "EXPLAIN ANALYZE DELETE FROM orders",
                "LISTEN anything",
                "WITH HOLD SELECT 1",
                "VACUUM",
                "REFRESH MATERIALIZED VIEW x",
                "SELECT 1 UNION ALL SELECT wipe()",
                "SELECT query_to_xml('DELETE FROM orders RETURNING id', true, true, '')",
                "SELECT query_to_xml('SELECT wipe()', true, true, '')");
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void no_statement_can_write(String attack) throws Exception {
        String before = shop.state();

        assertThatThrownBy(() -> queries.run(attack.replace("%s", folder.toString())))
                .isInstanceOf(ToolFailure.class);

        assertThat(shop.state()).isEqualTo(before);
        assertThat(Files.exists(folder.resolve("pwned"))).isFalse();
        assertThat(queries.rows("SELECT current_setting('transaction_read_only'), count(*) FROM orders")
                        .rows())
                .as("the next query still works")
                .hasToString("[[on, 300]]");
    }

    static Stream<String> lingering() {
        return Stream.of(
                "SELECT set_config('default_transaction_read_only', 'off', false)",
                "SELECT set_config('statement_timeout', '0', false)",
                "SELECT set_config('search_path', 'elsewhere', false)",
                "SELECT pg_advisory_lock(4711)",
                "SELECT pg_notify('anything', 'x')");
    }

    @ParameterizedTest
    @MethodSource("lingering")
    void session_changes_of_a_query_are_reset(String query) throws Exception {
        String before = shop.state();

        queries.run(query);

        assertThat(shop.state()).isEqualTo(before);
        assertThat(queries.rows("SELECT current_setting('default_transaction_read_only') || ' '"
                                + " || current_setting('search_path') || ' ' || current_setting('statement_timeout')")
                        .rows())
                .hasToString("[[off \"$user\", public 20s]]");
        assertThatThrownBy(() -> queries.run("SELECT wipe()")).isInstanceOf(ToolFailure.class);
        assertThat(shop.state()).isEqualTo(before);
    }

    @Test
    void the_plan_for_an_approval_runs_nothing() throws Exception {
        String before = shop.state();

        assertThat(queries.tool.preview(
                        new CloudDbQueryTool.Arguments("SELECT wipe()", "shop", null), ShopQueries.context()))
                .get()
                .asString()
                .contains("Query plan:", "Result");
        for (String attack :
                new String[] {"ANALYZE DELETE FROM orders", "DELETE FROM orders", "SELECT 1; COMMIT; DELETE FROM orders"
                }) {
            assertThatThrownBy(() -> queries.tool.preview(
                            new CloudDbQueryTool.Arguments(attack, "shop", null), ShopQueries.context()))
                    .isInstanceOf(ToolFailure.class);
        }
        assertThat(shop.state()).isEqualTo(before);
    }

    @Test
    void an_account_with_dangerous_privileges_is_refused() throws Exception {
        try (ShopQueries privileged = new ShopQueries(
                ShopQueries.target(PostgresServer.url(shop.database), PostgresServer.ADMIN),
                PostgresServer.PASSWORD,
                folder)) {
            assertThatThrownBy(() -> privileged.run("SELECT 1")).hasMessageContaining("superuser");
        }
        PostgresShop other = new PostgresShop();
        for (String power : new String[] {"pg_execute_server_program", "pg_read_server_files", "pg_signal_backend"}) {
            other.execute("GRANT " + power + " TO " + other.user);
            try (ShopQueries privileged = new ShopQueries(other.target(), PostgresShop.PASSWORD, folder)) {
                assertThatThrownBy(() -> privileged.run("SELECT 1")).hasMessageContaining(power);
            }
            other.execute("REVOKE " + power + " FROM " + other.user);
        }
        other.execute("GRANT " + PostgresServer.ADMIN + " TO " + other.user + " WITH INHERIT FALSE");
        try (ShopQueries privileged = new ShopQueries(other.target(), PostgresShop.PASSWORD, folder)) {
            assertThatThrownBy(() -> privileged.run("SELECT 1")).hasMessageContaining("superuser");
        }
        other.execute("REVOKE " + PostgresServer.ADMIN + " FROM " + other.user);
        try (ShopQueries harmless = new ShopQueries(other.target(), PostgresShop.PASSWORD, folder)) {
            assertThat(harmless.rows("SELECT 1").rowCount()).isEqualTo(1);
        }
    }
}
