package dev.toolgate.store.connection;

import com.zaxxer.hikari.HikariConfig;
import java.time.Duration;
import java.util.Properties;

/** How connections are made and kept: few, and with limits short enough to notice an outage at once. */
public final class PoolSettings {
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final int CONNECTIONS = 16;

    /** One wait for a turn: as long as it takes to know that nobody is being served. */
    static final Duration WAIT = Duration.ofSeconds(1);

    /** The longest wait for a turn while others are being served. */
    static final Duration BUSY_WAIT = Duration.ofSeconds(10);

    private PoolSettings() {}

    /** For work: as many connections as keep a database busy. */
    public static HikariConfig forWork(DatabaseUrl url) {
        HikariConfig config = of(url);
        config.setPoolName("toolgate");
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMinimumIdle(2);
        return config;
    }

    /** For short questions that all calls share, so a few connections are enough. */
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
        config.setConnectionTimeout(WAIT.toMillis());
        config.setValidationTimeout(WAIT.toMillis() / 2);
        // Whether the database can be used has been found out before.
        config.setInitializationFailTimeout(-1);
        config.setKeepaliveTime(Duration.ofSeconds(30).toMillis());
        config.setDataSourceProperties(driver());
        return config;
    }

    /** As texts only: the driver passes over a number or a boolean without a word. */
    private static Properties driver() {
        Properties driver = new Properties();
        driver.setProperty("ApplicationName", "toolgate");
        driver.setProperty("connectTimeout", String.valueOf(LIMIT.toSeconds()));
        driver.setProperty("loginTimeout", String.valueOf(LIMIT.toSeconds()));
        driver.setProperty("tcpKeepAlive", "true");
        // The wait for an answer from a machine that is gone ends; no statement takes as long until its first row.
        driver.setProperty("socketTimeout", "60");
        driver.setProperty("reWriteBatchedInserts", "true");
        return driver;
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
