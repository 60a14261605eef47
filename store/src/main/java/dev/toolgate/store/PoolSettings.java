package dev.toolgate.store;

import com.zaxxer.hikari.HikariConfig;
import java.time.Duration;
import java.util.Properties;

/** How connections are made and kept: few, and with limits short enough to notice an outage at once. */
final class PoolSettings {
    private static final Duration LIMIT = Duration.ofSeconds(2);
    private static final Duration WAIT = Duration.ofSeconds(1);
    private static final int CONNECTIONS = 16;

    private PoolSettings() {}

    static HikariConfig of(DatabaseUrl url) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("toolgate");
        config.setJdbcUrl(url.jdbcUrl());
        if (!url.user().isEmpty()) {
            config.setUsername(url.user());
        }
        if (!url.password().isEmpty()) {
            config.setPassword(url.password());
        }
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMinimumIdle(2);
        config.setConnectionTimeout(WAIT.toMillis());
        config.setValidationTimeout(WAIT.toMillis() / 2);
        // Whether the database can be used has been found out before.
        config.setInitializationFailTimeout(-1);
        config.setKeepaliveTime(Duration.ofSeconds(30).toMillis());
        config.addDataSourceProperty("ApplicationName", "toolgate");
        config.addDataSourceProperty("connectTimeout", LIMIT.toSeconds());
        config.addDataSourceProperty("loginTimeout", LIMIT.toSeconds());
        config.addDataSourceProperty("tcpKeepAlive", true);
        // The wait for an answer from a machine that is gone ends; no statement takes as long until its first row.
        config.addDataSourceProperty("socketTimeout", 60);
        config.addDataSourceProperty("reWriteBatchedInserts", true);
        return config;
    }

    /** The same settings for a single connection. */
    static Properties forDriver(HikariConfig config) {
        Properties properties = new Properties();
        config.getDataSourceProperties()
                .forEach((name, value) -> properties.setProperty(name.toString(), value.toString()));
        if (config.getUsername() != null) {
            properties.setProperty("user", config.getUsername());
        }
        if (config.getPassword() != null) {
            properties.setProperty("password", config.getPassword());
        }
        return properties;
    }
}
