package dev.toolgate.store.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.grant.Author;
import dev.toolgate.store.grant.ChangeFilter;
import dev.toolgate.store.grant.PermissionChange;
import dev.toolgate.store.grant.PermissionHistory;
import dev.toolgate.store.grant.UnknownTarget;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DirectoryTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId OTHER = new TenantId("other");
    private static final AgentId ALICE = new AgentId("alice");
    private static final Author ROOT = new Author("root", "left");

    private final List<TenantId> told = new ArrayList<>();
    private Database database;
    private Tenants tenants;
    private Agents agents;

    @BeforeEach
    void open() throws Exception {
        database = Database.open(MigratedDatabase.fresh());
        tenants = new Tenants(database.jdbi());
        agents = new Agents(database.jdbi(), told::add);
        tenants.create(ACME, "Acme");
        tenants.create(OTHER, "Other");
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    @Test
    void tenants_are_created_once_and_listed_in_pages() {
        TenantId late = new TenantId("late");
        assertThat(tenants.create(ACME, "Again")).isFalse();
        assertThat(tenants.exists(late)).isFalse();
        assertThat(tenants.create(late, "Late")).isTrue();
        assertThat(tenants.exists(late)).isTrue();

        assertThat(tenants.list(null, 2)).extracting(Tenant::tenantId).containsExactly("acme", "default");
        assertThat(tenants.list(new TenantId("default"), 2))
                .extracting(Tenant::name)
                .containsExactly("Late", "Other");
    }

    @Test
    void agents_are_created_changed_and_listed_within_their_tenant() {
        assertThat(agents.create(ACME, ALICE, "Alice", null))
                .get()
                .extracting(Agent::name)
                .isEqualTo("Alice");
        assertThat(agents.create(ACME, ALICE, "Impostor", null)).isEmpty();
        agents.create(ACME, new AgentId("bob"), null, null);
        agents.create(OTHER, new AgentId("eve"), null, null);

        assertThat(agents.update(ACME, ALICE, "Alice B.", "Writes code")).isPresent();
        assertThat(agents.update(OTHER, ALICE, "Taken over", null)).isEmpty();
        assertThat(agents.find(ACME, ALICE)).get().satisfies(agent -> {
            assertThat(agent.name()).isEqualTo("Alice B.");
            assertThat(agent.description()).isEqualTo("Writes code");
        });
        assertThat(agents.find(OTHER, ALICE)).isEmpty();
        assertThat(agents.list(ACME, null, 1)).extracting(Agent::agentId).containsExactly("alice");
        assertThat(agents.list(ACME, ALICE, 10)).extracting(Agent::agentId).containsExactly("bob");
        assertThatThrownBy(() -> agents.create(new TenantId("nobody"), ALICE, null, null))
                .isInstanceOf(UnknownTarget.class);
        assertThatThrownBy(() -> agents.create(ACME, new AgentId("long"), "x".repeat(2001), null))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void deleting_an_agent_deletes_its_grants_and_is_in_the_history() {
        agents.create(ACME, ALICE, null, null);
        agents.create(OTHER, ALICE, null, null);
        sql("INSERT INTO agent_groups (tenant_id, group_id) VALUES ('acme', 'team')");
        sql("INSERT INTO agent_group_members (tenant_id, agent_id, group_id) VALUES ('acme', 'alice', 'team')");
        sql("""
                INSERT INTO agent_tool_permissions (tenant_id, agent_id, tool_name, allowed)
                VALUES ('acme', 'alice', 'bash', true), ('acme', 'alice', 'git', false), ('other', 'alice', 'bash', true)""");

        assertThat(agents.delete(ACME, ALICE, ROOT)).isTrue();
        assertThat(agents.delete(ACME, ALICE, ROOT)).isFalse();

        assertThat(count("agent_tool_permissions")).isEqualTo(1);
        assertThat(count("agent_group_members")).isZero();
        assertThat(agents.find(OTHER, ALICE)).isPresent();
        List<PermissionChange> changes = new PermissionHistory(database.jdbi(), Clock.systemUTC())
                .changes(ACME, ChangeFilter.of(ALICE), null, 10);
        assertThat(changes).extracting(PermissionChange::toolName).containsExactly("*", "*", "git", "bash");
        assertThat(changes).extracting(PermissionChange::groupId).containsExactly(null, "team", null, null);
        assertThat(changes).extracting(PermissionChange::previousState).containsExactly(true, true, false, true);
        assertThat(changes).extracting(PermissionChange::changedBy).containsOnly("root");
        assertThat(told).contains(ACME);
    }

    private void sql(String statement) {
        database.jdbi().useHandle(handle -> handle.execute(statement));
    }

    private int count(String table) {
        return database.jdbi().withHandle(handle -> handle.createQuery("SELECT count(*) FROM " + table)
                .mapTo(int.class)
                .one());
    }
}
