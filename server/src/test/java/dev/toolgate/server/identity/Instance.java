package dev.toolgate.server.identity;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.identity.Authenticator;
import dev.toolgate.core.identity.Credentials;
import dev.toolgate.core.identity.Identity;
import dev.toolgate.core.identity.Role;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseUrl;
import dev.toolgate.store.identity.ApiKeys;
import dev.toolgate.store.identity.MadeKey;
import dev.toolgate.store.identity.NewKey;
import dev.toolgate.store.identity.SessionTable;
import dev.toolgate.store.identity.VerifiedKeys;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** One instance of everything about identity, on a database with the tenants default and acme. */
record Instance(
        Database database,
        ManualClock clock,
        VerifiedKeys verified,
        ApiKeys keys,
        FailureDelay delay,
        ConsoleSessions sessions,
        KeyAuthenticator keyAuthenticator,
        Authenticator chain)
        implements AutoCloseable {
    static final TenantId ACME = new TenantId("acme");
    static final String HOME = "192.0.2.1";

    /** On a database that all tests share one after the other; it is empty when a test gets it. */
    static Instance open() throws Exception {
        Instance instance = open(Shared.DATABASE);
        instance.sql("TRUNCATE tenants CASCADE");
        instance.sql("INSERT INTO tenants (tenant_id, name) VALUES ('default', 'Default'), ('acme', 'Acme')");
        return instance;
    }

    /** On a database of its own, for a test that harms it. */
    static Instance openAlone() throws Exception {
        Instance instance = open(MigratedDatabase.fresh());
        instance.sql("INSERT INTO tenants (tenant_id, name) VALUES ('acme', 'Acme')");
        return instance;
    }

    /** Another instance on the database that tests share. */
    static Instance openAnother() throws Exception {
        return open(Shared.DATABASE);
    }

    static Instance open(DatabaseUrl url) throws Exception {
        Database database = Database.open(url);
        ManualClock clock = new ManualClock();
        VerifiedKeys verified = new VerifiedKeys(database.connections());
        FailureDelay delay = new FailureDelay(clock);
        KeyAuthenticator keyAuthenticator = new KeyAuthenticator(verified, null, delay, clock);
        ConsoleSessions sessions = new ConsoleSessions(
                new SessionTable(database.jdbi()),
                keyAuthenticator,
                new SessionCookie(SessionCookie.Secure.WHEN_SENT_BY_TLS),
                new ConsoleSessions.Lifetime(Duration.ofHours(1), Duration.ofHours(12)),
                delay,
                clock);
        return new Instance(
                database,
                clock,
                verified,
                new ApiKeys(database.jdbi(), verified::changed),
                delay,
                sessions,
                keyAuthenticator,
                Authenticators.chain(keyAuthenticator, null, sessions));
    }

    MadeKey key(Role role, @Nullable AgentId agent) {
        return keys.create(new NewKey(ACME, role.wireName(), agent, "test", null, "root"));
    }

    Identity identify(String authorization) {
        return identify(authorization, HOME);
    }

    Identity identify(String authorization, String address) {
        return chain.identify(new Credentials(authorization, null, null, Credentials.Kind.CHANGES, address));
    }

    /** The same where this key is the one of the setting. */
    Identity identifyWithSetting(String key) {
        KeyAuthenticator withSetting = new KeyAuthenticator(verified, ChosenKey.of(key), delay, clock);
        return Authenticators.chain(withSetting, null, sessions)
                .identify(new Credentials("Bearer " + key, null, null, Credentials.Kind.CHANGES, HOME));
    }

    void sql(String statement) {
        database.jdbi().useHandle(handle -> handle.execute(statement));
    }

    @Override
    public void close() throws IOException {
        verified.close();
        database.close();
    }

    private static final class Shared {
        static final DatabaseUrl DATABASE = fresh();

        static DatabaseUrl fresh() {
            try {
                return MigratedDatabase.fresh();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
