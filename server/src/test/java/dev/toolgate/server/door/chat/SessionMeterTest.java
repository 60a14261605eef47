package dev.toolgate.server.door.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.chat.loop.TokenMeter;
import dev.toolgate.chat.loop.TokenMeterContract;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseUrl;
import dev.toolgate.store.session.SessionTokens;
import dev.toolgate.store.session.Sessions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Two servers count the tokens of one session. */
class SessionMeterTest extends TokenMeterContract {
    private static final TenantId ACME = new TenantId("acme");
    private static final SessionId ONE = new SessionId("one");

    private Database first;
    private Database second;

    @BeforeEach
    void open() throws Exception {
        DatabaseUrl url = MigratedDatabase.fresh();
        first = Database.open(url);
        second = Database.open(url);
        first.jdbi().useHandle(handle -> {
            handle.execute("INSERT INTO tenants (tenant_id, name) VALUES ('acme', 'Acme')");
            handle.execute("INSERT INTO agents (tenant_id, agent_id) VALUES ('acme', 'alice')");
        });
        PolicyBundle bundle = PolicyBundle.of(
                "1",
                PolicyBundle.SCHEMA_VERSION,
                ACME,
                "user",
                ONE,
                Instant.now().plus(Duration.ofHours(1)),
                List.of());
        assertThat(new Sessions(first.jdbi()).create(bundle, new AgentId("alice"), null, "key:1"))
                .isPresent();
    }

    @AfterEach
    void close() throws Exception {
        second.close();
        first.close();
    }

    @Override
    protected TokenMeter meter() {
        return new SessionMeter(new SessionTokens(first.jdbi()), ACME, ONE);
    }

    @Override
    protected TokenMeter onAnotherServer() {
        return new SessionMeter(new SessionTokens(second.jdbi()), ACME, ONE);
    }
}
