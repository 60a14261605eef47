package dev.toolgate.tools.database;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The tool with one database, named {@code shop}, of the tenant {@code local}. */
final class ShopQueries implements AutoCloseable {
    static final TenantId OWNER = Caller.local().tenant();

    final CloudDbQueryTool tool;

    ShopQueries(DatabaseTarget target, String password, Path folder) {
        tool = new CloudDbQueryTool(
                (tenant, name) -> tenant.equals(OWNER) && name.equals("shop") ? Optional.of(target) : Optional.empty(),
                (tenant, name) ->
                        tenant.equals(OWNER) && name.equals("SHOP_PASSWORD") ? Optional.of(password) : Optional.empty(),
                folder);
    }

    static DatabaseTarget target(String url, String user) {
        return new DatabaseTarget(
                TargetUrl.parse(url),
                user,
                "SHOP_PASSWORD",
                1000,
                1_000_000,
                Duration.ofSeconds(20),
                2,
                DatabaseTarget.Accounts.HARMLESS);
    }

    Output run(String query) throws ToolFailure, InterruptedException {
        return run(query, null);
    }

    Output run(String query, @Nullable Integer maxRows) throws ToolFailure, InterruptedException {
        return tool.call(new CloudDbQueryTool.Arguments(query, "shop", maxRows), context());
    }

    CloudDbQueryTool.Result rows(String query) throws ToolFailure, InterruptedException {
        return (CloudDbQueryTool.Result)
                java.util.Objects.requireNonNull(run(query).structured());
    }

    static ToolContext context() {
        return new ToolContext(
                Call.of(Caller.local(), "cloud_db_query", Json.MAPPER.createObjectNode()), Bounds.none());
    }

    @Override
    public void close() {
        tool.close();
    }
}
