package dev.toolgate.tools.database;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Logs in with the current password, so that a pool survives a password change. */
final class LoginSource implements DataSource {
    private final DataSource driver;
    private final @Nullable String user;
    private final Supplier<@Nullable String> password;

    LoginSource(DataSource driver, @Nullable String user, Supplier<@Nullable String> password) {
        this.driver = driver;
        this.user = user;
        this.password = password;
    }

    @Override
    @SuppressWarnings("NullAway") // drivers accept null for no credentials
    public Connection getConnection() throws SQLException {
        return driver.getConnection(user, password.get());
    }

    @Override
    public Connection getConnection(String otherUser, String otherPassword) throws SQLException {
        return driver.getConnection(otherUser, otherPassword);
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return driver.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        driver.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        driver.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return driver.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getLogger(Logger.GLOBAL_LOGGER_NAME);
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return driver.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return driver.isWrapperFor(type);
    }
}
