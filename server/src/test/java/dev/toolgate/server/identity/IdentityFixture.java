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
import dev.toolgate.store.identity.CreatedKey;
import dev.toolgate.store.identity.KeyCache;
import dev.toolgate.store.identity.LoginTable;
import dev.toolgate.store.identity.NewKey;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The identity classes on a database with the tenants default and acme. */
record IdentityFixture(
        Database database,
        ManualClock clock,
        KeyCache verified,
        ApiKeys keys,
        FailureDelay delay,
        ConsoleLogins sessions,
        KeyAuthenticator keyAuthenticator,
        Authenticator chain)
        implements AutoCloseable {
    static final TenantId ACME = new TenantId("acme");
    static final String HOME = "192.0.2.1";

    /** On a database shared by all tests, emptied first. */
    static IdentityFixture open() throws Exception {
        IdentityFixture instance = open(Shared.DATABASE);
        instance.sql("TRUNCATE tenants CASCADE");
        instance.sql("INSERT INTO tenants (tenant_id, name) VALUES ('default', 'Default'), ('acme', 'Acme')");
        return instance;
    }

    /** On a separate database, for tests that break it. */
    static IdentityFixture openAlone() throws Exception {
        IdentityFixture instance = open(MigratedDatabase.fresh());
        instance.sql("INSERT INTO tenants (tenant_id, name) VALUES ('acme', 'Acme')");
        return instance;
    }

    /** Another instance on the shared database. */
    static IdentityFixture openAnother() throws Exception {
        return open(Shared.DATABASE);
    }

    static IdentityFixture open(DatabaseUrl url) throws Exception {
        Database database = Database.open(url);
        ManualClock clock = new ManualClock();
        KeyCache verified = new KeyCache(database.connections());
        FailureDelay delay = new FailureDelay(clock);
        KeyAuthenticator keyAuthenticator = new KeyAuthenticator(verified, null, delay, clock);
        ConsoleLogins sessions = new ConsoleLogins(
                new LoginTable(database.jdbi()),
                keyAuthenticator,
                GroupRoles.NONE,
                new ConsoleCookie(ConsoleCookie.Secure.WHEN_SENT_BY_TLS),
                new ConsoleLogins.Lifetime(Duration.ofHours(1), Duration.ofHours(12)),
                delay,
                clock);
        return new IdentityFixture(
                database,
                clock,
                verified,
                new ApiKeys(database.jdbi(), verified::changed),
                delay,
                sessions,
                keyAuthenticator,
                Authenticators.chain(keyAuthenticator, null, sessions));
    }

    CreatedKey key(Role role, @Nullable AgentId agent) {
        return keys.create(NewKey.of(ACME, role.wireName(), agent, "test", null, "root"));
    }

    Identity identify(String authorization) {
        return identify(authorization, HOME);
    }

    Identity identify(String authorization, String address) {
        return chain.identify(new Credentials(authorization, null, null, Credentials.Kind.CHANGES, address));
    }

    /** The same, with this admin key in the setting. */
    Identity identifyWithSetting(String key) {
        KeyAuthenticator withSetting = new KeyAuthenticator(verified, ConfiguredAdminKey.of(key), delay, clock);
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
                return MigratedDatabase.lasting();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
