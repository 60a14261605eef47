package dev.toolgate.store.embedded;

import dev.toolgate.store.connection.DatabaseUrl;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** Runs one statement on a new connection. */
final class Sql {
    private Sql() {}

    static void run(DatabaseUrl url, String statement) throws SQLException {
        try (Connection connection = connect(url)) {
            connection.createStatement().execute(statement);
        }
    }

    static String ask(DatabaseUrl url, String query) throws SQLException {
        try (Connection connection = connect(url);
                var result = connection.createStatement().executeQuery(query)) {
            result.next();
            return result.getString(1);
        }
    }

    private static Connection connect(DatabaseUrl url) throws SQLException {
        return DriverManager.getConnection(url.jdbcUrl(), url.user(), url.password());
    }
}
