package dev.toolgate.docs;

import dev.toolgate.store.SharedPostgres;
import dev.toolgate.store.connection.DatabaseUrl;
import java.sql.SQLException;

/** An empty database, as a {@code DATABASE_URL}. */
final class FreshDatabase {
    private FreshDatabase() {}

    static String url() throws SQLException {
        DatabaseUrl url = SharedPostgres.newDatabase();
        return url.jdbcUrl() + "?user=" + url.user() + "&password=" + url.password();
    }
}
