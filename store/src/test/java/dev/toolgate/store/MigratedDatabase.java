package dev.toolgate.store;

import dev.toolgate.store.connection.DatabaseUrl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.UUID;

/** Empty databases with all tables, copied from a template that is migrated once. */
public final class MigratedDatabase {
    private MigratedDatabase() {}

    /** A new database. */
    public static DatabaseUrl fresh() throws SQLException {
        DatabaseUrl template = Holder.TEMPLATE;
        String url = SharedPostgres.server().jdbcUrl();
        String name = "copy_" + UUID.randomUUID().toString().replace("-", "");
        try (Connection connection = DriverManager.getConnection(url, template.user(), template.password());
                var statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + name + " TEMPLATE " + name(template));
        }
        return new DatabaseUrl(url.replaceFirst("/[^/]*$", "/" + name), template.user(), template.password());
    }

    /** The name of a database. */
    public static String name(DatabaseUrl url) {
        return url.jdbcUrl().substring(url.jdbcUrl().lastIndexOf('/') + 1);
    }

    private static final class Holder {
        static final DatabaseUrl TEMPLATE = migrate();

        static DatabaseUrl migrate() {
            try {
                DatabaseUrl url = SharedPostgres.newDatabase();
                Database.open(url).close();
                return url;
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
