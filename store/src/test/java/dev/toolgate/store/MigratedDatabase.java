package dev.toolgate.store;

import dev.toolgate.store.connection.DatabaseUrl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.SQLException;

/** Empty databases with all tables, copied from a template that is migrated once. */
public final class MigratedDatabase {
    private MigratedDatabase() {}

    /** A new database, for one test class. */
    public static DatabaseUrl fresh() throws SQLException {
        return SharedPostgres.forRunningClass(lasting());
    }

    /** A new database that several test classes use, one after the other. */
    public static DatabaseUrl lasting() throws SQLException {
        return SharedPostgres.create(name(Holder.TEMPLATE));
    }

    /** The name of a database. */
    public static String name(DatabaseUrl url) {
        return url.jdbcUrl().substring(url.jdbcUrl().lastIndexOf('/') + 1);
    }

    private static final class Holder {
        static final DatabaseUrl TEMPLATE = migrate();

        static DatabaseUrl migrate() {
            try {
                DatabaseUrl url = SharedPostgres.create("template1");
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
