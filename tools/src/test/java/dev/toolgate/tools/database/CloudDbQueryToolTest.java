package dev.toolgate.tools.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.tool.ToolFailure;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class CloudDbQueryToolTest {
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

    private static DatabaseTarget limited(int maxRows, long maxBytes, Duration timeout) {
        return new DatabaseTarget(
                shop.target().url(),
                shop.user,
                "SHOP_PASSWORD",
                maxRows,
                maxBytes,
                timeout,
                1,
                DatabaseTarget.Accounts.HARMLESS);
    }

    @Test
    void a_small_result_is_a_table_and_rows() throws Exception {
        Output output = queries.run("SELECT status, count(*) AS orders FROM orders GROUP BY 1 ORDER BY 1;");

        assertThat(output.text()).isEqualTo("""
                status  | orders
                --------+-------
                pending | 150
                sent    | 150
                (2 rows)""");
        assertThat(output.structured())
                .hasToString(
                        "Result[columns=[status, orders], rows=[[pending, 150], [sent, 150]], rowCount=2, truncated=false]");
        assertThat(output.artifacts()).isEmpty();
        assertThat(output.metadata()).containsEntry("rowCount", 2).containsEntry("truncated", false);
    }

    @Test
    void values_of_every_type_are_converted_to_json() throws Exception {
        assertThat(queries.rows("""
                        SELECT 1, 2.50, 'a?b', NULL, '\\x00ff'::bytea, DATE '2026-01-02', 9007199254740993, true, 'NaN'::float8,
                            ARRAY[1,2], '{"a": 1}'::jsonb, 'x;y' -- and ; a comment""").rows())
                .hasToString(
                        "[[1, 2.50, a?b, null, \\x00ff, 2026-01-02, 9007199254740993, true, NaN, {1,2}, {\"a\": 1}, x;y]]");
    }

    @Test
    void a_large_result_is_a_csv_artifact_with_every_row() throws Exception {
        DatabaseTarget large = limited(100_000, 50_000_000, Duration.ofSeconds(30));
        try (ShopQueries wide = new ShopQueries(large, PostgresShop.PASSWORD, folder)) {
            Output output = wide.run("SELECT n, repeat('x, \"y\"', 10) FROM generate_series(1, 20000) n");
            assertThat(output.artifacts()).hasSize(1);
            Artifact csv = output.artifacts().getFirst();
            assertThat(csv.kind()).isEqualTo("tool_output");
            assertThat(csv.mediaType()).isEqualTo("text/csv");
            String[] lines = new String(csv.content().open().readAllBytes(), StandardCharsets.UTF_8).split("\r\n");
            assertThat(lines).hasSize(20001);
            assertThat(lines[20000]).isEqualTo("20000,\"" + "x, \"\"y\"\"".repeat(10) + "\"");
            assertThat(output.text()).contains("(20000 rows)", "all are in the CSV artifact");
            assertThat(output.text().length()).isLessThan(200_000);
        }
    }

    @Test
    void rows_and_bytes_are_limited_with_a_note() throws Exception {
        assertThat(queries.run("SELECT * FROM orders", 5).text()).contains("(5 rows)", "limit of 5 rows");
        assertThat(queries.run("SELECT * FROM orders", 300).text())
                .contains("(300 rows)")
                .doesNotContain("Truncated");
        try (ShopQueries narrow =
                new ShopQueries(limited(7, 1000, Duration.ofSeconds(9)), PostgresShop.PASSWORD, folder)) {
            assertThat(narrow.run("SELECT * FROM orders", 5000).text()).contains("(7 rows)", "limit of 7 rows");
            assertThat(narrow.run("SELECT repeat('x', 400) FROM orders").text()).contains("(2 rows)", "1000 bytes");
        }
    }

    @Test
    void one_huge_value_does_not_exhaust_memory() {
        assertThatThrownBy(() -> queries.run("SELECT repeat('x', 200000000)")).isInstanceOf(ToolFailure.class);
    }

    @Test
    void no_file_is_left_when_a_query_fails_halfway() throws Exception {
        Path own = Files.createDirectory(folder.resolve("own"));
        try (ShopQueries broken = new ShopQueries(shop.target(), PostgresShop.PASSWORD, own)) {
            assertThatThrownBy(
                            () -> broken.run("SELECT repeat('x', 100), 1 / (900 - n) FROM generate_series(1, 1000) n"))
                    .hasMessageContaining("division by zero");
        }
        try (Stream<Path> left = Files.list(own)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void an_error_in_the_query_is_reported_with_its_position() {
        assertThatThrownBy(() -> queries.run("SELECT nonsense FROM orders"))
                .hasMessageContaining("column \"nonsense\" does not exist at character 8");
        assertThatThrownBy(() -> queries.run("SELECT 'Ä€', nonsense FROM orders"))
                .hasMessageContaining("at character 14");
    }

    @Test
    void an_error_in_a_preview_is_reported_with_the_same_position() {
        assertThatThrownBy(() -> queries.tool.preview(
                        new CloudDbQueryTool.Arguments("SELECT nonsense FROM orders", "shop", null),
                        ShopQueries.context()))
                .hasMessageContaining("column \"nonsense\" does not exist at character 8");
    }

    @Test
    void a_query_over_the_time_limit_is_cancelled_on_the_server() throws Exception {
        try (ShopQueries timed =
                new ShopQueries(limited(10, 1000, Duration.ofMillis(700)), PostgresShop.PASSWORD, folder)) {
            assertThatThrownBy(() -> timed.run("SELECT set_config('statement_timeout', '0', false), pg_sleep(60)"))
                    .isInstanceOfSatisfying(
                            ToolFailure.class,
                            late -> assertThat(late.failure().code()).isEqualTo(ErrorCode.TOOL_EXECUTION_TIMEOUT));
            awaitNoQuery();
            assertThat(timed.rows("SELECT 1").rowCount()).isEqualTo(1);
        }
    }

    @Test
    void a_cancelled_call_cancels_its_query_on_the_server() throws Exception {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread caller = Thread.ofVirtual().start(() -> {
            try {
                queries.run("SELECT pg_sleep(61)");
            } catch (ToolFailure | InterruptedException stopped) {
                thrown.set(stopped);
            }
        });
        await().until(() -> running().equals("1"));
        caller.interrupt();
        caller.join();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        awaitNoQuery();
        assertThat(queries.rows("SELECT 1").rowCount()).isEqualTo(1);
    }

    private static void awaitNoQuery() {
        await().until(() -> running().equals("0"));
    }

    private static String running() throws Exception {
        return shop.one(
                "SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND usename = '" + shop.user + "'");
    }

    @Test
    void an_unknown_connection_is_reported_alike_for_all_tenants() {
        assertThatThrownBy(() -> queries.tool.call(
                        new CloudDbQueryTool.Arguments("SELECT 1", "elsewhere", null), ShopQueries.context()))
                .hasMessage("There is no database connection named 'elsewhere'; set databases.local.elsewhere in"
                        + " toolgate.yaml");
    }

    @Test
    void missing_and_wrong_passwords_are_reported_but_not_shown() {
        DatabaseTarget other = new DatabaseTarget(
                shop.target().url(),
                shop.user,
                "OTHER_PASSWORD",
                10,
                1000,
                Duration.ofSeconds(9),
                1,
                DatabaseTarget.Accounts.HARMLESS);
        try (ShopQueries missing = new ShopQueries(other, "unused", folder);
                ShopQueries wrong = new ShopQueries(shop.target(), "planted-wrong-password", folder)) {
            assertThatThrownBy(() -> missing.run("SELECT 1")).hasMessageContaining("secrets.local.OTHER_PASSWORD");
            assertThatThrownBy(() -> wrong.run("SELECT 1"))
                    .hasMessageContaining("cannot be used")
                    .hasMessageContaining("password authentication failed")
                    .hasMessageNotContaining("planted");
        }
    }

    @Test
    void a_changed_password_is_used_for_the_next_connection() throws Exception {
        PostgresShop changing = new PostgresShop();
        AtomicReference<String> password = new AtomicReference<>(PostgresShop.PASSWORD);
        try (CloudDbQueryTool tool = new CloudDbQueryTool(
                (tenant, name) -> Optional.of(changing.target()),
                (tenant, name) -> Optional.of(password.get()),
                folder)) {
            CloudDbQueryTool.Arguments question = new CloudDbQueryTool.Arguments("SELECT 1", "shop", null);
            assertThat(tool.call(question, ShopQueries.context()).text()).contains("(1 row)");

            changing.execute("ALTER ROLE " + changing.user + " PASSWORD 'another-password'");
            password.set("another-password");
            changing.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '" + changing.user + "'");

            await().ignoreExceptions()
                    .until(() ->
                            tool.call(question, ShopQueries.context()).text().contains("(1 row)"));
        }
    }

    @Test
    void an_unreachable_database_is_reported() throws Exception {
        int closedPort;
        try (ServerSocket free = new ServerSocket(0)) {
            closedPort = free.getLocalPort();
        }
        for (String engine : new String[] {"postgresql", "mariadb"}) {
            try (ShopQueries lost = new ShopQueries(
                    ShopQueries.target(engine + "://127.0.0.1:" + closedPort + "/shop", "u"), "password", folder)) {
                assertThatThrownBy(() -> lost.run("SELECT 1")).hasMessageContaining("'shop' cannot be used");
            }
        }
    }

    @Test
    void the_password_is_redacted_in_results() throws Exception {
        assertThat(queries.run("SELECT 'it is " + PostgresShop.PASSWORD + "' AS said")
                        .text())
                .contains("it is [redacted]")
                .doesNotContain(PostgresShop.PASSWORD);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "postgresql://h/d?socketFactory=x",
                "postgresql://h/d?loggerFile=/tmp/x",
                "postgresql://h/d?preferQueryMode=simple",
                "postgresql://h/d?options=-c%20default_transaction_read_only=off",
                "mariadb://h/d?allowLocalInfile=true",
                "mariadb://h/d?allowMultiQueries=true",
                "mysql://h/d?sessionVariables=x",
                "postgresql://user:planted@h/d",
                "postgresql://h",
                "postgresql://h,i/d",
                "postgresql:///d",
                "h2:mem:x",
                "mariadb://h/d%3FallowMultiQueries=true",
                "://",
            })
    void an_unsafe_url_is_refused_and_not_quoted(String url) {
        assertThatThrownBy(() -> TargetUrl.parse(url))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("planted");
    }

    @ParameterizedTest
    @CsvSource({
        "postgresql://h/d, POSTGRESQL, h, 5432",
        "jdbc:postgresql://h:1/d?sslmode=require, POSTGRESQL, h, 1",
        "mysql://[::1]/d, MARIADB, [::1], 3306",
        "mariadb://h:2/d, MARIADB, h, 2",
    })
    void urls_are_parsed(String url, TargetUrl.Engine engine, String host, int port) {
        TargetUrl read = TargetUrl.parse(url);
        assertThat(read.engine()).isEqualTo(engine);
        assertThat(read.host()).isEqualTo(host);
        assertThat(read.port()).isEqualTo(port);
        assertThat(read.database()).isEqualTo("d");
    }
}
