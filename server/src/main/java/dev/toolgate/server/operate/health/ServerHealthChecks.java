package dev.toolgate.server.operate.health;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.toolgate.runtime.sandbox.command.Confinement;
import dev.toolgate.store.Database;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** The health checks of a server. */
public final class ServerHealthChecks {
    private ServerHealthChecks() {}

    /**
     * The health of the server with all its checks.
     *
     * @param sandbox the sandbox of commands; may take a while the first time
     * @param auditBacklog the number of audit records not yet durable
     * @param maxBacklog the backlog above which the state is degraded
     */
    public static Health of(
            String version,
            Database database,
            Supplier<Confinement> sandbox,
            IntSupplier auditBacklog,
            int maxBacklog) {
        return new Health(version)
                .with("database", () -> database(database), HealthCheck.down("The database does not answer."))
                .with("pool", () -> pool(database), HealthCheck.degraded("The connection pool does not answer."))
                .with("audit", () -> audit(auditBacklog.getAsInt(), maxBacklog), HealthCheck.degraded("Not known yet."))
                .with(
                        "sandbox",
                        () -> sandbox(sandbox.get()),
                        HealthCheck.degraded("The sandbox is still being tested."));
    }

    private static HealthCheck database(Database database) {
        String kind = database.embeddedState()
                .map(state -> switch (state) {
                    case RUNNING -> "The embedded database is running";
                    case RESTARTING -> "The embedded database stopped unexpectedly and is restarting";
                    case STOPPED -> "The embedded database has been stopped";
                })
                .orElse("The external database is in use");
        String records =
                switch (database.recordProtection()) {
                    case BY_ROLE -> "";
                    case NONE -> " Its role can change audit records; see the guide on operating for a separate role.";
                };
        return database.isReachable()
                ? HealthCheck.ok(kind + " and answers." + records)
                : HealthCheck.down(kind + " but does not answer; calls are refused until it does.");
    }

    private static HealthCheck pool(Database database) {
        if (!(database.dataSource() instanceof HikariDataSource source)) {
            return HealthCheck.ok("There is no connection pool.");
        }
        HikariPoolMXBean pool = source.getHikariPoolMXBean();
        int waiting = pool.getThreadsAwaitingConnection();
        int active = pool.getActiveConnections();
        String numbers = active + (active == 1 ? " connection" : " connections") + " in use, "
                + pool.getIdleConnections() + " idle, " + waiting + " waiting.";
        boolean exhausted = active >= source.getMaximumPoolSize();
        return waiting > 0 && exhausted ? HealthCheck.degraded(numbers) : HealthCheck.ok(numbers);
    }

    private static HealthCheck audit(int backlog, int max) {
        String sentence = backlog + (backlog == 1 ? " audit record is" : " audit records are") + " not yet durable.";
        return backlog <= max ? HealthCheck.ok(sentence) : HealthCheck.degraded(sentence);
    }

    private static HealthCheck sandbox(Confinement confinement) {
        return switch (confinement.level()) {
            case CONFINED -> HealthCheck.ok("Commands are confined by " + confinement.mechanism() + ".");
            case DEGRADED -> HealthCheck.degraded("Commands are not fully confined: " + confinement.detail());
            case UNAVAILABLE -> HealthCheck.degraded("Commands are refused: " + confinement.detail());
        };
    }
}
