package dev.toolgate.store.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.policy.CapabilityGrant;
import dev.toolgate.core.policy.LlmPolicy;
import dev.toolgate.core.policy.Policies;
import dev.toolgate.core.policy.PoliciesContract;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.policy.Session;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresPoliciesTest extends PoliciesContract {
    private Database database;
    private PostgresPolicies policies;

    @BeforeEach
    void open() throws Exception {
        database = Database.open(MigratedDatabase.fresh());
        database.jdbi()
                .useHandle(handle -> handle.execute(
                        "INSERT INTO tenants (tenant_id, name) VALUES ('acme', 'Acme'), ('other', 'Other')"));
        policies = new PostgresPolicies(database.jdbi(), database.dataSource());
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    @Test
    void concurrent_lookups_return_the_sessions_of_the_right_tenant() throws Exception {
        for (String tenant : List.of("acme", "other")) {
            for (int number = 0; number < 20; number++) {
                policies.put(bundle(tenant, "session_" + number));
            }
        }
        policies.end(new TenantId("other"), new SessionId("session_7"));
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Map<String, Future<Optional<Session>>> found = new HashMap<>();
            for (int round = 0; round < 10; round++) {
                for (String tenant : List.of("acme", "other", "third")) {
                    for (int number = 0; number < 20; number++) {
                        SessionId session = new SessionId("session_" + number);
                        found.put(
                                tenant + "/" + session + "/" + round,
                                callers.submit(() -> policies.find(new TenantId(tenant), session)));
                    }
                }
            }
            for (Map.Entry<String, Future<Optional<Session>>> one : found.entrySet()) {
                String[] wanted = one.getKey().split("/", -1);
                Optional<Session> session = one.getValue().get();
                assertThat(session.isPresent()).as(one.getKey()).isEqualTo(!wanted[0].equals("third"));
                session.ifPresent(got -> {
                    assertThat(got.bundle()).isEqualTo(bundle(wanted[0], wanted[1]));
                    assertThat(got.endedAt() != null)
                            .as(one.getKey())
                            .isEqualTo(wanted[0].equals("other") && wanted[1].equals("session_7"));
                });
            }
        }
    }

    private static PolicyBundle bundle(String tenant, String session) {
        return new PolicyBundle(
                "1",
                PolicyBundle.SCHEMA_VERSION,
                new TenantId(tenant),
                "user of " + tenant,
                new SessionId(session),
                Instant.parse("2030-01-01T00:00:00Z"),
                List.of(CapabilityGrant.named("File.Read")),
                LlmPolicy.NONE,
                List.of(),
                List.of());
    }

    @Override
    protected Policies policies() {
        return policies;
    }

    @Override
    protected void put(PolicyBundle bundle) {
        policies.put(bundle);
    }

    @Override
    protected void end(TenantId tenant, SessionId session) {
        policies.end(tenant, session);
    }
}
