package dev.toolgate.store.requestkey;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.OutcomeJson;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.RequestId;
import dev.toolgate.core.call.RequestKey;
import dev.toolgate.core.call.RequestKeys.Earlier;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.Database;
import dev.toolgate.store.SharedPostgres;
import dev.toolgate.store.connection.DatabaseUrl;
import java.time.Duration;
import org.flywaydb.core.Flyway;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.Test;

/** The migration that scopes request ids to agents (version 83). */
class KeysOfAgentsMigrationTest {
    private static final String DIGEST = "ab".repeat(32);
    private static final Outcome DONE = new Outcome.Completed(Output.text("done before the upgrade"));

    @Test
    void migrated_keys_are_visible_only_to_their_agents() throws Exception {
        DatabaseUrl url = SharedPostgres.newDatabase();
        Flyway.configure()
                .dataSource(url.jdbcUrl(), url.user(), url.password())
                .locations("classpath:db/migration")
                .placeholderReplacement(false)
                .target("80") // there is no 81 or 82
                .load()
                .migrate();
        fill(Jdbi.create(url.jdbcUrl(), url.user(), url.password()));

        try (Database database = Database.open(url);
                PostgresRequestKeys keys = new PostgresRequestKeys(database.unpooled(), Duration.ofSeconds(10))) {
            assertThat(keys.find(key("alice", "of-one"))).isEqualTo(new Earlier.SameCall(DONE));
            assertThat(keys.find(key("bob", "of-one"))).isEqualTo(new Earlier.Nothing());
            assertThat(keys.find(key("alice", "running"))).isEqualTo(new Earlier.StillRunning());
            assertThat(keys.find(key("alice", "of-two")))
                    .as("it is unknown whose outcome it is")
                    .isEqualTo(new Earlier.Forgotten());
            assertThat(keys.find(key("bob", "of-two"))).isEqualTo(new Earlier.Forgotten());
            assertThat(keys.find(key("alice", "held"))).isEqualTo(new Earlier.Held());
            assertThat(keys.find(key("alice", "of-nobody"))).isEqualTo(new Earlier.Nothing());
            assertThat(keys.claim(key("alice", "of-one")))
                    .as("a repeated call does not run again")
                    .isEqualTo(new Earlier.SameCall(DONE));
        }
    }

    private static RequestKey key(String agent, String request) {
        return new RequestKey(new TenantId("default"), new AgentId(agent), new RequestId(request), DIGEST);
    }

    private static void fill(Jdbi jdbi) {
        jdbi.useHandle(handle -> {
            handle.execute("""
                    INSERT INTO audit_instances (instance_id, process_id, last_hash, pruned_hash)
                    VALUES ('00000000-0000-0000-0000-000000000001', 1, '\\x00', '\\x00')""");
            for (String request : new String[] {"of-one", "of-two", "of-nobody"}) {
                handle.execute("""
                        INSERT INTO request_keys (tenant_id, request_id, body_digest, outcome, completed_at)
                        VALUES ('default', ?, decode(?, 'hex'), ?, now())""", request, DIGEST, OutcomeJson.write(DONE));
            }
            handle.execute("""
                    INSERT INTO request_keys (tenant_id, request_id, body_digest)
                    VALUES ('default', 'running', decode(?, 'hex'))""", DIGEST);
            record(handle, 1, "of-one", "alice");
            record(handle, 2, "of-two", "alice");
            record(handle, 3, "of-two", "bob");
            handle.execute("""
                    INSERT INTO tool_intents (instance_id, number, tenant_id, request_id, timestamp, agent_id, workspace_id,
                        tool_name, operation, parameters, keyed)
                    VALUES ('00000000-0000-0000-0000-000000000001', 1, 'default', 'running', now(), 'alice', 'default',
                        'bash', 'execute', '{}', true)""");
            handle.execute("""
                    INSERT INTO approvals (tenant_id, request_id, agent_id, tool_name, arguments, arguments_digest, reason,
                        expires_at)
                    VALUES ('default', 'held', 'alice', 'bash', '{}', decode(?, 'hex'), 'dangerous',
                        now() + interval '1 hour')""", DIGEST);
        });
    }

    private static void record(Handle handle, int sequence, String request, String agent) {
        handle.execute("""
                INSERT INTO tool_audit_logs (tenant_id, request_id, timestamp, agent_id, workspace_id, tool_name, operation,
                    parameters, allowed, status, instance_id, sequence, previous_hash, hash)
                VALUES ('default', ?, now(), ?, 'default', 'bash', 'execute', '{}', true, 'COMPLETED',
                    '00000000-0000-0000-0000-000000000001', ?, '\\x00', '\\x00')""", request, agent, sequence);
    }
}
