package dev.toolgate.tools.database;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.redact.KnownSecrets;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.tool.Alias;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Secrets;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import dev.toolgate.tools.NeededSecret;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** {@code cloud_db_query}: runs a read-only query on a database of the caller's tenant. */
public final class CloudDbQueryTool implements Tool<CloudDbQueryTool.Arguments>, AutoCloseable {
    private static final ToolSpec<Arguments> SPEC = ToolSpec.of(
                    "cloud_db_query",
                    Arguments.class,
                    Category.REMOTE,
                    "BackendTool.Invoke",
                    "Execute read-only queries against configured cloud databases")
            .sending()
            .returning(Result.class)
            .alsoKnownAs(Alias.runtime("CloudDbQuery"));

    private final DatabaseTargets targets;
    private final Secrets secrets;
    private final Path folder;
    private final Pools pools = new Pools();

    /** @param folder the folder for large results until they are stored; used for nothing else */
    public CloudDbQueryTool(DatabaseTargets targets, Secrets secrets, Path folder) {
        this.targets = targets;
        this.secrets = secrets;
        this.folder = folder;
    }

    /** The arguments. */
    public record Arguments(
            @Param(value = "One SELECT statement", minLength = 1)
            String query,

            @Param(value = "The name of a configured database connection", minLength = 1)
            String connectionName,

            @Param(value = "The maximum number of rows to return; the connection may allow fewer", min = 1) @Nullable
            Integer maxRows) {}

    /**
     * The result.
     *
     * @param rows the returned rows, in column order
     * @param rowCount the total number of rows, including those only in the CSV artifact
     * @param truncated whether rows were left out
     */
    public record Result(List<String> columns, List<List<@Nullable Object>> rows, int rowCount, boolean truncated) {}

    @Override
    public ToolSpec<Arguments> spec() {
        return SPEC;
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) throws ToolFailure, InterruptedException {
        TenantId tenant = context.call().caller().tenant();
        DatabaseTarget target = target(tenant, arguments.connectionName());
        String password = password(tenant, target);
        int maxRows = arguments.maxRows() == null ? target.maxRows() : Math.min(arguments.maxRows(), target.maxRows());
        try (RowCollector answer = new RowCollector(
                maxRows,
                target.maxBytes(),
                context.maxOutputBytesOr(ToolContext.DEFAULT_OUTPUT_BYTES) / 2,
                folder,
                hiding(password).forCallerOf(context.call()))) {
            run(tenant, arguments, target).run(password, limit(target, context), transaction -> {
                transaction.read(arguments.query(), answer);
                return arguments;
            });
            return answer.output(arguments.connectionName());
        }
    }

    @Override
    public Optional<String> preview(Arguments arguments, ToolContext context) throws ToolFailure, InterruptedException {
        TenantId tenant = context.call().caller().tenant();
        DatabaseTarget target = target(tenant, arguments.connectionName());
        String plan = run(tenant, arguments, target)
                .run(
                        password(tenant, target),
                        limit(target, context),
                        transaction -> transaction.plan(arguments.query()));
        return Optional.of("On the database '" + arguments.connectionName() + "', read-only:\n" + arguments.query()
                + "\n\nQuery plan:\n" + plan);
    }

    private QueryRun run(TenantId tenant, Arguments arguments, DatabaseTarget target) {
        return new QueryRun(pools, new Pools.Key(tenant, arguments.connectionName()), target);
    }

    private DatabaseTarget target(TenantId tenant, String name) throws ToolFailure {
        return targets.find(tenant, name)
                .orElseThrow(() -> new ToolFailure(
                        ErrorCode.TOOL_EXECUTION_FAILED,
                        "There is no database connection named '" + name + "'; set databases." + tenant + "." + name
                                + " in toolgate.yaml"));
    }

    private @Nullable String password(TenantId tenant, DatabaseTarget target) throws ToolFailure {
        return target.passwordName() == null ? null : new NeededSecret(tenant, target.passwordName()).from(secrets);
    }

    private static Redactor hiding(@Nullable String password) {
        // Redacting a short password would let queries find it by trying candidates.
        boolean worthHiding = password != null && password.length() >= KnownSecrets.UNGUESSABLE_LENGTH;
        return Redactor.knownSecretsOnly().withSecrets(worthHiding && password != null ? Set.of(password) : Set.of());
    }

    private static Duration limit(DatabaseTarget target, ToolContext context) {
        Duration allowed = context.bounds().timeout();
        return allowed == null || allowed.compareTo(target.timeout()) > 0 ? target.timeout() : allowed;
    }

    /** Closes every connection. */
    @Override
    public void close() {
        pools.close();
    }
}
