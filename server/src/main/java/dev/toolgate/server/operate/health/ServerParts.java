package dev.toolgate.server.operate.health;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import dev.toolgate.runtime.sandbox.command.Confinement;
import dev.toolgate.store.Database;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** How to look at each part of a server. */
public final class ServerParts {
    private ServerParts() {}

    /**
     * The health of a whole server.
     *
     * @param sandbox what confines commands; may take a while the first time
     * @param auditBacklog how many records wait to be durable
     * @param mostBacklog how many may wait before that is worth a warning
     */
    public static Health of(
            String version,
            Database database,
            Supplier<Confinement> sandbox,
            IntSupplier auditBacklog,
            int mostBacklog) {
        return new Health(version)
                .with("database", () -> database(database), HealthCheck.down("The database does not answer."))
                .with("pool", () -> pool(database), HealthCheck.degraded("The connections cannot be counted."))
                .with(
                        "audit",
                        () -> audit(auditBacklog.getAsInt(), mostBacklog),
                        HealthCheck.degraded("Not known yet."))
                .with(
                        "sandbox",
                        () -> sandbox(sandbox.get()),
                        HealthCheck.degraded("What confines commands is still being tested."));
    }

    private static HealthCheck database(Database database) {
        String kind = database.embeddedState()
                .map(state -> switch (state) {
                    case RUNNING -> "The embedded database runs";
                    case RESTARTING -> "The embedded database died and is being started again";
                    case STOPPED -> "The embedded database has been stopped";
                })
                .orElse("The external database is in use");
        String records =
                switch (database.recordProtection()) {
                    case BY_ROLE -> "";
                    case NONE -> " Its role can change audit records; the guide on operating says how to bar it.";
                };
        return database.isReachable()
                ? HealthCheck.ok(kind + " and answers." + records)
                : HealthCheck.down(kind + " but does not answer; calls are refused until it does.");
    }

    private static HealthCheck pool(Database database) {
        if (!(database.dataSource() instanceof HikariDataSource source)) {
            return HealthCheck.ok("There is no pool.");
        }
        HikariPoolMXBean pool = source.getHikariPoolMXBean();
        int waiting = pool.getThreadsAwaitingConnection();
        String numbers = pool.getActiveConnections() + " connections in use, " + pool.getIdleConnections() + " idle, "
                + waiting + " wanted.";
        boolean exhausted = pool.getActiveConnections() >= source.getMaximumPoolSize();
        return waiting > 0 && exhausted ? HealthCheck.degraded(numbers) : HealthCheck.ok(numbers);
    }

    private static HealthCheck audit(int backlog, int most) {
        String sentence = backlog + " records wait to be durable.";
        return backlog <= most ? HealthCheck.ok(sentence) : HealthCheck.degraded(sentence);
    }

    private static HealthCheck sandbox(Confinement confinement) {
        return switch (confinement.level()) {
            case CONFINED -> HealthCheck.ok("Commands are confined by " + confinement.how() + ".");
            case DEGRADED -> HealthCheck.degraded("Commands are not fully confined: " + confinement.detail());
            case UNAVAILABLE -> HealthCheck.degraded("Commands are refused: " + confinement.detail());
        };
    }
}
