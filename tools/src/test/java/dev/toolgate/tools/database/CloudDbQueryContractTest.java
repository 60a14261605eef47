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
    private static Asking asking;

    @BeforeAll
    static void open() throws Exception {
        shop = new PostgresShop();
        asking = new Asking(shop.target(), PostgresShop.PASSWORD, folder);
    }

    @AfterAll
    static void close() {
        asking.close();
    }

    @Override
    protected Tool<?> tool() {
        return asking.tool;
    }

    private static Map<String, ?> query(String sql) {
        return Map.of("query", sql, "connectionName", "shop");
    }

    @Override
    protected Map<String, ?> good() {
        // The database knows its own password; what a caller has sent itself is not hidden from it.
        return query("SELECT id, status, NULL AS nothing, reverse('"
                + new StringBuilder(PostgresShop.PASSWORD).reverse() + "') FROM orders LIMIT 2");
    }

    @Override
    protected List<Trouble> troubles() {
        return List.of(
                new Trouble(
                        "a connection there is not",
                        tool(),
                        Map.of("query", "SELECT 1", "connectionName", "other"),
                        ErrorCode.TOOL_EXECUTION_FAILED,
                        "databases.local.other"),
                new Trouble("a wrong query", tool(), query("SELECT x"), ErrorCode.TOOL_EXECUTION_FAILED, "column"),
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
        return Redactor.standard().knowing(Set.of(PostgresShop.PASSWORD));
    }

    @Override
    protected List<String> secrets() {
        return List.of(PostgresShop.PASSWORD);
    }
}
