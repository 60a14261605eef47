package dev.toolgate.store.grant;

import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseUrl;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Clock;

/** The classes for grants, on a database with the tenants acme and other. */
record GrantStore(Database database, PostgresGrants grants, GrantAdministration administration, Groups groups)
        implements AutoCloseable {

    /** On a database that tests use one after the other; it is emptied for each test. */
    static GrantStore open() throws Exception {
        GrantStore store = open(Shared.DATABASE);
        store.sql("TRUNCATE tenants, permission_change_log CASCADE");
        store.sql("INSERT INTO tenants (tenant_id, name) VALUES ('acme', 'Acme'), ('other', 'Other')");
        return store;
    }

    static GrantStore open(DatabaseUrl url) throws Exception {
        Database database = Database.open(url);
        PostgresGrants grants =
                new PostgresGrants(database.connections(), new OperationConditions(), Clock.systemUTC());
        return new GrantStore(
                database,
                grants,
                new GrantAdministration(database.jdbi(), new OperationConditions(), grants::changed),
                new Groups(database.jdbi(), grants::changed));
    }

    void sql(String statement) {
        database.jdbi().useHandle(handle -> handle.execute(statement));
    }

    long count(String question) {
        return database.jdbi()
                .withHandle(
                        handle -> handle.createQuery(question).mapTo(Long.class).one());
    }

    @Override
    public void close() throws IOException {
        grants.close();
        database.close();
    }

    private static final class Shared {
        static final DatabaseUrl DATABASE = fresh();

        static DatabaseUrl fresh() {
            try {
                return MigratedDatabase.lasting();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
