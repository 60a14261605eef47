package dev.toolgate.store;

import com.zaxxer.hikari.HikariDataSource;
import dev.toolgate.store.connection.Connections;
import dev.toolgate.store.connection.DatabaseAccess;
import dev.toolgate.store.connection.DatabaseListener;
import dev.toolgate.store.connection.DatabaseUrl;
import dev.toolgate.store.connection.FirstConnection;
import dev.toolgate.store.connection.LoadAwarePool;
import dev.toolgate.store.connection.PoolSettings;
import dev.toolgate.store.connection.UnpooledConnections;
import dev.toolgate.store.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The PostgreSQL database: an external server if one is configured, otherwise an embedded one. */
public final class Database implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Database.class);
    private static final String MIGRATIONS = "db/migration";
    private static final Duration START_TIMEOUT = Duration.ofMinutes(2);

    private final @Nullable EmbeddedPostgres embedded;
    private final LoadAwarePool pool;
    private final HikariDataSource checks;
    private final UnpooledConnections unpooled;
    private final DatabaseListener listener;
    private final Jdbi jdbi;
    private final Jdbi retention;
    private final RecordProtection protection;

    /** Whether the database role of the gate can modify audit records. */
    public enum RecordProtection {
        /** It can only insert and read them. */
        BY_ROLE,
        /** It can update and delete them; only checkpoints would reveal it. */
        NONE
    }

    private Database(@Nullable EmbeddedPostgres embedded, DatabaseAccess access, RecordProtection protection) {
        DatabaseUrl url = access.gate();
        this.embedded = embedded;
        this.protection = protection;
        this.pool = new LoadAwarePool(PoolSettings.forWork(url));
        this.checks = new HikariDataSource(PoolSettings.forChecks(url));
        this.unpooled = () -> connectUnpooled(url);
        this.listener = new DatabaseListener(unpooled);
        jdbi = Jdbi.create(pool);
        retention = Jdbi.create(() -> connectUnpooled(access.retention()));
    }

    /**
     * Opens the database and runs migrations.
     *
     * @param home the data folder of the embedded server
     * @param databaseUrl the setting {@code DATABASE_URL}; null or blank for the embedded server
     * @throws IOException if the database cannot be used; its message is one sentence for the user
     * @throws IllegalArgumentException if the setting is invalid; its message is one sentence for the user
     */
    public static Database open(Path home, @Nullable String databaseUrl) throws IOException {
        return openWith(
                home, databaseUrl == null || databaseUrl.isBlank() ? null : DatabaseAccess.of(databaseUrl, null, null));
    }

    /**
     * The same, with separate database roles.
     *
     * @param external null for the embedded server
     */
    public static Database openWith(Path home, @Nullable DatabaseAccess external) throws IOException {
        if (external != null) {
            return opened(null, external);
        }
        EmbeddedPostgres embedded = EmbeddedPostgres.start(home);
        try {
            return opened(embedded, embedded.access());
        } catch (IOException | RuntimeException failed) {
            embedded.close();
            throw failed;
        }
    }

    /** Opens an external database and runs migrations. */
    public static Database open(DatabaseUrl url) throws IOException {
        return opened(null, DatabaseAccess.single(url));
    }

    /** Opens an external database with separate roles and runs migrations. */
    public static Database open(DatabaseAccess access) throws IOException {
        return opened(null, access);
    }

    private static Database opened(@Nullable EmbeddedPostgres embedded, DatabaseAccess access) throws IOException {
        DatabaseUrl url = access.owner();
        RecordProtection protection;
        try (Connection owner = connectFirst(embedded, url)) {
            bringUpToDate(owner, url);
            protection = protection(owner, access);
        } catch (SQLException failed) {
            throw new IOException(
                    "The database at " + url + " cannot be used: " + oneLine(failed.getMessage()), failed);
        } catch (FlywayException failed) {
            String message = oneLine(failed.getMessage());
            String reason = message.contains("non-empty schema")
                    ? "it has tables of another application; use an empty database"
                    : message;
            throw new IOException("The database at " + url + " cannot be migrated: " + reason, failed);
        }
        Database database = new Database(embedded, access, protection);
        if (embedded != null) {
            database.awaitPool();
        }
        return database;
    }

    private static Connection connectFirst(@Nullable EmbeddedPostgres embedded, DatabaseUrl url)
            throws SQLException, IOException {
        return embedded == null
                ? DriverManager.getConnection(url.jdbcUrl(), PoolSettings.forFirstConnection(url))
                : new FirstConnection(
                                () -> connectUnpooled(url),
                                () -> embedded.state() == EmbeddedPostgres.State.RUNNING,
                                START_TIMEOUT)
                        .await();
    }

    // The first caller would wait for one second only, which may be too short on a busy machine.
    private void awaitPool() {
        long deadline = System.nanoTime() + START_TIMEOUT.toNanos();
        while (!pool.isServing() && System.nanoTime() < deadline) {
            Thread.onSpinWait(); // isServing itself blocks for a second while the database does not answer
        }
    }

    private static RecordProtection protection(Connection owner, DatabaseAccess access) throws IOException {
        try {
            String gate = role(access.gate());
            String retention = role(access.retention());
            if (!gate.equals(DatabaseRoles.currentRole(owner))) {
                if (!DatabaseRoles.areApplied(owner, gate, retention)) {
                    DatabaseRoles.apply(owner, gate, retention);
                    DatabaseRoles.remember(owner, gate, retention);
                }
                if (DatabaseRoles.isBarredFromRecords(owner, gate)) {
                    return RecordProtection.BY_ROLE;
                }
            }
        } catch (SQLException failed) {
            throw new IOException(
                    "The roles of the database at " + access.gate() + " cannot be configured: "
                            + oneLine(failed.getMessage())
                            + "; the owner role must own the tables and be a member of the retention role.",
                    failed);
        }
        LOG.warn("The database role of the gate can update and delete audit records; configure separate roles with"
                + " database.owner_url and database.retention_url (see docs/guides/operating.md)");
        return RecordProtection.NONE;
    }

    private static String role(DatabaseUrl url) throws SQLException {
        if (!url.user().isEmpty()) {
            return url.user();
        }
        try (Connection connection = connectUnpooled(url)) {
            return DatabaseRoles.currentRole(connection);
        }
    }

    private static Connection connectUnpooled(DatabaseUrl url) throws SQLException {
        return DriverManager.getConnection(url.jdbcUrl(), PoolSettings.forDriver(url));
    }

    private static void bringUpToDate(Connection owner, DatabaseUrl url) throws IOException, SQLException {
        AppliedMigrations ours = AppliedMigrations.in(MIGRATIONS);
        if (!ours.areCurrent(owner)) {
            migrate(url, "classpath:" + MIGRATIONS);
            ours.remember(owner);
        }
    }

    /** Does not use pooled connections: a migration may take longer than their socket timeout. */
    static void migrate(DatabaseUrl url, String location) {
        Flyway.configure()
                .dataSource(url.jdbcUrl(), orNull(url.user()), orNull(url.password()))
                .locations(location)
                .placeholderReplacement(false)
                .loggers("slf4j")
                .load()
                .migrate();
    }

    private static @Nullable String orNull(String text) {
        return text.isEmpty() ? null : text;
    }

    private static String oneLine(@Nullable String message) {
        return String.valueOf(message).strip().replaceAll("\\s*\\n\\s*", "; ");
    }

    public Jdbi jdbi() {
        return jdbi;
    }

    /** Connections of the role that deletes audit records, opened on demand. */
    public Jdbi retention() {
        return retention;
    }

    /** Whether the gate's own connections can modify audit records. */
    public RecordProtection recordProtection() {
        return protection;
    }

    /** The connection pool; getting a connection takes at most one second, or ten if the pool is busy. */
    public DataSource dataSource() {
        return pool;
    }

    /** All connections to the database, by purpose. */
    public Connections connections() {
        return new Connections(pool, checks, listener);
    }

    /** Opens connections outside the pool. */
    public UnpooledConnections unpooled() {
        return unpooled;
    }

    /** Listens for change notifications, for all watchers; connects when the first one subscribes. */
    public DatabaseListener listener() {
        return listener;
    }

    /** Whether the database answers now; takes at most two seconds. */
    public boolean isReachable() {
        return pool.isServing();
    }

    /** The state of the embedded server; empty for an external one. */
    public Optional<EmbeddedPostgres.State> embeddedState() {
        return Optional.ofNullable(embedded).map(EmbeddedPostgres::state);
    }

    @Override
    public void close() throws IOException {
        listener.close();
        checks.close();
        pool.close();
        if (embedded != null) {
            embedded.close();
        }
    }
}
