package dev.toolgate.tools.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Attempts to write through the tool, on a MariaDB whose account may change the whole database. */
@Timeout(180)
class MariaDbAttackTest {
    @TempDir
    private static Path folder;

    private static MariaDbServer server;
    private static ShopQueries queries;

    @BeforeAll
    static void open() throws Exception {
        server = new MariaDbServer(folder);
        server.execute(
                "",
                "CREATE DATABASE shop",
                "CREATE USER clerk@'127.0.0.1' IDENTIFIED BY '" + MariaDbServer.PASSWORD + "'",
                "GRANT ALL ON shop.* TO clerk@'127.0.0.1'",
                "CREATE USER filer@'127.0.0.1' IDENTIFIED BY '" + MariaDbServer.PASSWORD + "'",
                "GRANT FILE ON *.* TO filer@'127.0.0.1'",
                "GRANT ALL ON shop.* TO filer@'127.0.0.1'",
                "CREATE ROLE filing",
                "GRANT FILE ON *.* TO filing",
                "CREATE USER hidden@'127.0.0.1' IDENTIFIED BY '" + MariaDbServer.PASSWORD + "'",
                "GRANT ALL ON shop.* TO hidden@'127.0.0.1'",
                "GRANT filing TO hidden@'127.0.0.1'",
                "SET DEFAULT ROLE filing FOR hidden@'127.0.0.1'");
        server.execute(
                "shop",
                "CREATE TABLE orders (id INT PRIMARY KEY, status VARCHAR(20)) ENGINE=InnoDB",
                "INSERT INTO orders SELECT seq, 'pending' FROM seq_1_to_300",
                "CREATE TABLE old_orders (id INT PRIMARY KEY, status VARCHAR(20)) ENGINE=MyISAM",
                "INSERT INTO old_orders VALUES (1, 'sent'), (2, 'sent')",
                "CREATE SEQUENCE numbers",
                "CREATE FUNCTION wipe() RETURNS INT MODIFIES SQL DATA BEGIN DELETE FROM orders; RETURN 1; END",
                "CREATE FUNCTION wipe_old() RETURNS INT MODIFIES SQL DATA BEGIN DELETE FROM old_orders; RETURN 1; END",
                "CREATE PROCEDURE clear() BEGIN COMMIT; DELETE FROM orders; SELECT 1; END",
                "CREATE VIEW trap AS SELECT wipe()");
        queries = new ShopQueries(target("clerk"), MariaDbServer.PASSWORD, folder.resolve("spool"));
    }

    @AfterAll
    static void close() throws Exception {
        queries.close();
        server.close();
    }

    private static DatabaseTarget target(String user) {
        return ShopQueries.target("mariadb://127.0.0.1:" + server.port + "/shop", user);
    }

    private static String state() throws Exception {
        return server.one("shop", """
                SELECT CONCAT((SELECT COUNT(*) FROM orders), ' ', (SELECT GROUP_CONCAT(status) FROM old_orders), ' ',
                    (SELECT GROUP_CONCAT(id, status ORDER BY id) FROM orders WHERE id < 20), ' ',
                    (SELECT next_not_cached_value FROM numbers), ' ',
                    (SELECT GROUP_CONCAT(table_name ORDER BY table_name) FROM information_schema.tables WHERE table_schema = 'shop'), ' ',
                    (SELECT GROUP_CONCAT(COLUMN_NAME ORDER BY 1) FROM information_schema.columns WHERE table_schema = 'shop'), ' ',
                    @@global.general_log, @@global.tx_read_only)""");
    }

    static Stream<String> attacks() {
        return Stream.of(
                "DELETE FROM orders",
                "DELETE FROM orders RETURNING id",
                "INSERT INTO orders VALUES (9999, 'x') RETURNING id",
                "REPLACE INTO orders VALUES (1, 'x') RETURNING id",
                "DELETE FROM old_orders RETURNING id",
                "UPDATE orders SET status = 'x'",
                "ANALYZE DELETE FROM orders",
                "ANALYZE FORMAT=JSON UPDATE orders SET status = 'x'",
                "ANALYZE DELETE FROM old_orders",
                "SELECT wipe()",
                "SELECT wipe_old()",
                "SELECT * FROM trap",
                "CALL clear()",
                "SELECT NEXTVAL(numbers)",
                "SELECT SETVAL(numbers, 4711)",
                "SELECT NEXT VALUE FOR numbers",
                "SELECT 1; DELETE FROM orders",
                "SELECT 1; COMMIT; DELETE FROM orders",
                "/*client prepare*/ SELECT 1; DELETE FROM orders",
                "/*client prepare*/ DELETE FROM orders RETURNING id",
                "COMMIT",
                "COMMIT AND CHAIN",
                "START TRANSACTION READ WRITE",
                "SET SESSION TRANSACTION READ WRITE",
                "SET STATEMENT tx_read_only=0 FOR DELETE FROM orders RETURNING id",
                "SET STATEMENT max_statement_time=0 FOR DELETE FROM orders RETURNING id",
                "SET GLOBAL general_log = 1",
                "BEGIN NOT ATOMIC COMMIT; DELETE FROM orders; SELECT 1; END",
                "EXECUTE IMMEDIATE 'DELETE FROM orders RETURNING id'",
                "PREPARE gone FROM 'DELETE FROM orders'",
                "EXECUTE gone",
                "SELECT * FROM orders INTO OUTFILE '%s/pwned'",
                "SELECT 'x' INTO DUMPFILE '%s/pwned'",
                "SELECT id INTO @x FROM orders LIMIT 1",
                "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE orders",
                "LOAD DATA INFILE '/etc/passwd' INTO TABLE orders",
                "CREATE TABLE stolen AS SELECT * FROM orders",
                "CREATE TEMPORARY TABLE stolen AS SELECT * FROM orders",
                "ALTER TABLE orders ADD COLUMN stolen INT",
                "TRUNCATE TABLE orders",
                "DROP TABLE orders",
                "OPTIMIZE TABLE old_orders",
                "REPAIR TABLE old_orders",
                "ANALYZE TABLE orders",
                "CHECK TABLE orders",
                "CHECKSUM TABLE orders",
                "SHOW TABLES",
                "(ANALYZE TABLE orders)",
                "ANALYZE SELECT wipe()",
                "LOCK TABLES orders WRITE",
                "HANDLER orders OPEN",
                "KILL 1",
                "DO wipe()",
                "FLUSH TABLES",
                "XA START 'x'",
                "EXPLAIN ANALYZE DELETE FROM orders");
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void no_statement_can_write(String attack) throws Exception {
        String before = state();

        assertThatThrownBy(() -> queries.run(attack.replace("%s", folder.toString())))
                .isInstanceOf(ToolFailure.class);

        assertThat(state()).isEqualTo(before);
        assertThat(Files.exists(folder.resolve("pwned"))).isFalse();
        assertThat(queries.rows("SELECT CONCAT(@@session.tx_read_only), COUNT(*) FROM orders")
                        .rows())
                .as("the next query still works")
                .hasToString("[[ON, 300]]");
    }

    @Test
    void session_changes_of_a_query_are_reset() throws Exception {
        assertThat(queries.rows("SELECT GET_LOCK('till', 1), @x := 5").rows()).hasToString("[[1, 5]]");
        assertThat(queries.rows("SELECT IS_FREE_LOCK('till'), @x").rows()).hasToString("[[1, null]]");
    }

    @Test
    void accounts_with_file_privileges_are_refused_even_by_role() throws Exception {
        for (String user : new String[] {"filer", "hidden"}) {
            try (ShopQueries privileged = new ShopQueries(target(user), MariaDbServer.PASSWORD, folder)) {
                assertThatThrownBy(() -> privileged.run("SELECT 1"))
                        .as(user)
                        .hasMessageContaining("FILE")
                        .hasMessageContaining("allow_powerful_account");
            }
        }
    }

    @Test
    void values_of_every_type_are_returned_and_rows_are_limited() throws Exception {
        assertThat(queries.rows("SELECT 1, 2.50, 'a', NULL, x'00ff', DATE '2026-01-02', 9007199254740993, true")
                        .rows())
                .hasToString("[[1, 2.50, a, null, \\x00ff, 2026-01-02, 9007199254740993, 1]]");
        var few = queries.run("SELECT id FROM orders ORDER BY id", 3);
        assertThat(few.text()).contains("(3 rows)", "Truncated", "3 rows");
        assertThat(queries.rows("SELECT COUNT(*) FROM orders").rows()).hasToString("[[300]]");
    }

    @Test
    void a_plan_is_shown_without_running_the_query() throws Exception {
        assertThat(queries.tool.preview(
                        new CloudDbQueryTool.Arguments("SELECT * FROM orders WHERE id = 1", "shop", null),
                        ShopQueries.context()))
                .get()
                .asString()
                .contains("orders", "const");
        assertThatThrownBy(() -> queries.tool.preview(
                        new CloudDbQueryTool.Arguments("DELETE FROM orders", "shop", null), ShopQueries.context()))
                .isInstanceOf(ToolFailure.class);
        assertThat(server.one("shop", "SELECT COUNT(*) FROM orders")).isEqualTo("300");
    }

    @Test
    void a_query_over_the_time_limit_is_cancelled_on_the_server() throws Exception {
        DatabaseTarget shortTimeout = new DatabaseTarget(
                target("clerk").url(),
                "clerk",
                "SHOP_PASSWORD",
                10,
                10_000,
                Duration.ofSeconds(1),
                1,
                DatabaseTarget.Accounts.HARMLESS);
        try (ShopQueries limited = new ShopQueries(shortTimeout, MariaDbServer.PASSWORD, folder)) {
            assertThatThrownBy(() -> limited.run("SELECT COUNT(*) FROM seq_1_to_1000000 a, seq_1_to_1000000 b"))
                    .isInstanceOfSatisfying(
                            ToolFailure.class,
                            late -> assertThat(late.failure().code()).isEqualTo(ErrorCode.TOOL_EXECUTION_TIMEOUT));
            org.awaitility.Awaitility.await().until(() -> server.one(
                            "",
                            "SELECT COUNT(*) FROM information_schema.processlist WHERE info LIKE 'SELECT COUNT(*) FROM seq%' OR info LIKE '/*toolgate*/ SELECT COUNT(*) FROM seq%'")
                    .equals("0"));
            assertThat(limited.rows("SELECT 1").rowCount()).isEqualTo(1);
        }
    }
}
