package dev.toolgate.store.connection;

import com.zaxxer.hikari.HikariConfig;
import java.time.Duration;
import java.util.Properties;

/** Pool settings: few connections, with timeouts short enough to detect an outage quickly. */
public final class PoolSettings {
    private static final Duration FIRST_LOGIN = Duration.ofSeconds(30);
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final int CONNECTIONS = 16;

    /** One wait for a connection; if none is returned during it, the database is unavailable. */
    static final Duration ACQUIRE_TIMEOUT = Duration.ofSeconds(1);

    /** The maximum wait for a connection while others are being served. */
    static final Duration MAX_BUSY_WAIT = Duration.ofSeconds(10);

    private PoolSettings() {}

    /** For general work: enough connections to keep a database busy. */
    public static HikariConfig forWork(DatabaseUrl url) {
        HikariConfig config = of(url);
        config.setPoolName("toolgate");
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMinimumIdle(2);
        return config;
    }

    /** For short checks, which concurrent calls share, so a few connections are enough. */
    public static HikariConfig forChecks(DatabaseUrl url) {
        HikariConfig config = of(url);
        config.setPoolName("toolgate-checks");
        config.setMaximumPoolSize(2);
        config.setMinimumIdle(1);
        return config;
    }

    private static HikariConfig of(DatabaseUrl url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url.jdbcUrl());
        if (!url.user().isEmpty()) {
            config.setUsername(url.user());
        }
        if (!url.password().isEmpty()) {
            config.setPassword(url.password());
        }
        config.setConnectionTimeout(ACQUIRE_TIMEOUT.toMillis());
        config.setValidationTimeout(ACQUIRE_TIMEOUT.toMillis() / 2);
        // The database was checked before.
        config.setInitializationFailTimeout(-1);
        config.setKeepaliveTime(Duration.ofSeconds(30).toMillis());
        config.setDataSourceProperties(driver());
        return config;
    }

    /** All values as strings: the driver silently ignores numbers and booleans. */
    private static Properties driver() {
        Properties driver = new Properties();
        driver.setProperty("ApplicationName", "toolgate");
        driver.setProperty("connectTimeout", String.valueOf(LIMIT.toSeconds()));
        driver.setProperty("loginTimeout", String.valueOf(LIMIT.toSeconds()));
        driver.setProperty("tcpKeepAlive", "true");
        // Ends the wait for an unreachable machine; statements that take longer use LongStatements.
        driver.setProperty("socketTimeout", "60");
        driver.setProperty("reWriteBatchedInserts", "true");
        return driver;
    }

    /**
     * For the first connection to an external database. Its timeout allows for a server that answers slowly, as on a
     * busy machine; later connections have short timeouts to detect outages.
     */
    public static Properties forFirstConnection(DatabaseUrl url) {
        Properties properties = forDriver(url);
        properties.setProperty("loginTimeout", String.valueOf(FIRST_LOGIN.toSeconds()));
        return properties;
    }

    /** The same settings for a single connection. */
    public static Properties forDriver(DatabaseUrl url) {
        Properties properties = driver();
        if (!url.user().isEmpty()) {
            properties.setProperty("user", url.user());
        }
        if (!url.password().isEmpty()) {
            properties.setProperty("password", url.password());
        }
        return properties;
    }
}
