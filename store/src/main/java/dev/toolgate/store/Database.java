package dev.toolgate.store;

import com.zaxxer.hikari.HikariDataSource;
import dev.toolgate.store.connection.Connections;
import dev.toolgate.store.connection.DatabaseAccess;
import dev.toolgate.store.connection.DatabaseListener;
import dev.toolgate.store.connection.DatabaseUrl;
import dev.toolgate.store.connection.FirstConnection;
import dev.toolgate.store.connection.PatientPool;
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

/** The database everything durable is kept in: an external server if one is named, else one of our own. */
public final class Database implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Database.class);
    private static final String MIGRATIONS = "classpath:db/migration";
    private static final Duration SLOWEST_START = Duration.ofMinutes(2);

    private final @Nullable EmbeddedPostgres embedded;
    private final PatientPool pool;
    private final HikariDataSource checks;
    private final UnpooledConnections sessions;
    private final DatabaseListener listener;
    private final Jdbi jdbi;
    private final Jdbi retention;
    private final RecordProtection protection;

    /** Whether the role of the gate is kept from changing audit records. */
    public enum RecordProtection {
        /** It can add them and read them. */
        BY_ROLE,
        /** It could change and delete them; only checkpoints would show it. */
        NONE
    }

    private Database(@Nullable EmbeddedPostgres embedded, DatabaseAccess access, RecordProtection protection) {
        DatabaseUrl url = access.gate();
        this.embedded = embedded;
        this.protection = protection;
        this.pool = new PatientPool(PoolSettings.forWork(url));
        this.checks = new HikariDataSource(PoolSettings.forChecks(url));
        this.sessions = () -> connectAlone(url);
        this.listener = new DatabaseListener(sessions);
        jdbi = Jdbi.create(pool);
        retention = Jdbi.create(() -> connectAlone(access.retention()));
    }

    /**
     * Opens the database and brings its tables up to date.
     *
     * @param home the data folder, for a server of our own
     * @param databaseUrl the setting {@code DATABASE_URL}, or null or blank for a server of our own
     * @throws IOException with one sentence that says why the database cannot be used
     * @throws IllegalArgumentException with one sentence that says what is wrong with the setting
     */
    public static Database open(Path home, @Nullable String databaseUrl) throws IOException {
        return openWith(
                home, databaseUrl == null || databaseUrl.isBlank() ? null : DatabaseAccess.of(databaseUrl, null, null));
    }

    /**
     * The same, with a role for each purpose.
     *
     * @param external null for a server of our own
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

    /** Opens an external database and brings its tables up to date. */
    public static Database open(DatabaseUrl url) throws IOException {
        return opened(null, DatabaseAccess.single(url));
    }

    /** The same, with a role for each purpose. */
    public static Database open(DatabaseAccess access) throws IOException {
        return opened(null, access);
    }

    private static Database opened(@Nullable EmbeddedPostgres embedded, DatabaseAccess access) throws IOException {
        DatabaseUrl url = access.owner();
        try {
            connectFirst(embedded, url);
        } catch (SQLException failed) {
            throw new IOException(
                    "The database at " + url + " cannot be used: " + oneLine(failed.getMessage()), failed);
        }
        try {
            migrate(url, MIGRATIONS);
        } catch (FlywayException failed) {
            String message = oneLine(failed.getMessage());
            String reason = message.contains("non-empty schema")
                    ? "it holds tables of something else; name an empty database"
                    : message;
            throw new IOException("The database at " + url + " cannot be brought up to date: " + reason, failed);
        }
        Database database = new Database(embedded, access, protection(access));
        if (embedded != null) {
            database.awaitPool();
        }
        return database;
    }

    private static void connectFirst(@Nullable EmbeddedPostgres embedded, DatabaseUrl url)
            throws SQLException, IOException {
        if (embedded != null) {
            new FirstConnection(
                            () -> connectAlone(url),
                            () -> embedded.state() == EmbeddedPostgres.State.RUNNING,
                            SLOWEST_START)
                    .await();
            return;
        }
        try (Connection first = connectAlone(url)) {
            first.isValid(1);
        }
    }

    // Whoever comes first waits for a second only, which may be too short on a busy machine.
    private void awaitPool() {
        long giveUp = System.nanoTime() + SLOWEST_START.toNanos();
        while (!pool.isServing() && System.nanoTime() < giveUp) {
            Thread.onSpinWait(); // asking takes a second by itself while there is no answer
        }
    }

    private static RecordProtection protection(DatabaseAccess access) throws IOException {
        try (Connection owner = connectAlone(access.owner());
                Connection gate = connectAlone(access.gate());
                Connection retention = connectAlone(access.retention())) {
            DatabaseRoles.apply(owner, DatabaseRoles.currentRole(gate), DatabaseRoles.currentRole(retention));
            if (DatabaseRoles.isBarredFromRecords(gate)) {
                return RecordProtection.BY_ROLE;
            }
        } catch (SQLException failed) {
            throw new IOException(
                    "The roles of the database at " + access.gate() + " cannot be set up: "
                            + oneLine(failed.getMessage())
                            + "; the owner must own the tables and be a member of the role of retention.",
                    failed);
        }
        LOG.warn("The database role of the gate can change and delete audit records; give it a role of its own, with"
                + " database.owner_url and database.retention_url (docs/guides/operating.md says how)");
        return RecordProtection.NONE;
    }

    private static Connection connectAlone(DatabaseUrl url) throws SQLException {
        return DriverManager.getConnection(url.jdbcUrl(), PoolSettings.forDriver(url));
    }

    /** Not with the pool's connections: a migration may take longer than those wait for an answer. */
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

    /** Connections of the role that removes audit records, each made when it is wanted. */
    public Jdbi retention() {
        return retention;
    }

    /** Whether the gate's own connections are kept from changing audit records. */
    public RecordProtection recordProtection() {
        return protection;
    }

    /** The pool of connections; asking it for one takes a second at most, or ten while others are being served. */
    public DataSource dataSource() {
        return pool;
    }

    /** Every way to the database. */
    public Connections connections() {
        return new Connections(pool, checks, listener);
    }

    /** Connections beside the pool. */
    public UnpooledConnections sessions() {
        return sessions;
    }

    /** The connection that listens for changes, for all who want to know of some; it is made for the first of them. */
    public DatabaseListener listener() {
        return listener;
    }

    /** Whether the database answers now; takes two seconds at most. */
    public boolean isReachable() {
        return pool.isServing();
    }

    /** The state of our own server; empty for an external one. */
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
