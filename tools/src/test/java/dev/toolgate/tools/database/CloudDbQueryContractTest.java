package dev.toolgate.tools.database;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContract;
import dev.toolgate.core.tool.ToolTrial;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class CloudDbQueryContractTest extends ToolContract {
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

    @Override
    protected Tool<?> tool() {
        return queries.tool;
    }

    private static Map<String, ?> query(String sql) {
        return Map.of("query", sql, "connectionName", "shop");
    }

    @Override
    protected Map<String, ?> good() {
        // Only the database's password is redacted, not what the caller has sent itself.
        return query("SELECT id, status, NULL AS nothing, reverse('"
                + new StringBuilder(PostgresShop.PASSWORD).reverse() + "') FROM orders LIMIT 2");
    }

    @Override
    protected List<Trouble> troubles() {
        return List.of(
                new Trouble(
                        "an unknown connection",
                        tool(),
                        Map.of("query", "SELECT 1", "connectionName", "other"),
                        ErrorCode.TOOL_EXECUTION_FAILED,
                        "databases.local.other"),
                new Trouble("an invalid query", tool(), query("SELECT x"), ErrorCode.TOOL_EXECUTION_FAILED, "column"),
                new Trouble("a write", tool(), query("DELETE FROM orders"), ErrorCode.TOOL_EXECUTION_FAILED),
                new Trouble("two statements", tool(), query("SELECT 1; SELECT 2"), ErrorCode.INVALID_REQUEST, "query"));
    }

    @Override
    protected Optional<Map<String, ?>> endless() {
        return Optional.of(query("SELECT pg_sleep(100)"));
    }

    @Override
    protected void awaitBegun(ToolTrial trial) {
        Awaitility.await()
                .until(() -> shop.one("SELECT count(*) FROM pg_stat_activity WHERE state = 'active' AND usename = '"
                                + shop.user + "'")
                        .equals("1"));
    }

    @Override
    protected Redactor redactor() {
        return Redactor.standard().withSecrets(Set.of(PostgresShop.PASSWORD));
    }

    @Override
    protected List<String> secrets() {
        return List.of(PostgresShop.PASSWORD);
    }
}
