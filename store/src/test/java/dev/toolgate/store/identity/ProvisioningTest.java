package dev.toolgate.store.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.decision.Condition;
import dev.toolgate.core.decision.ConditionExamples;
import dev.toolgate.core.decision.Conditions;
import dev.toolgate.core.decision.InvalidCondition;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.directory.AgentProvisioning;
import dev.toolgate.store.directory.Agents;
import dev.toolgate.store.directory.Tenants;
import dev.toolgate.store.grant.Author;
import dev.toolgate.store.grant.ChangeFilter;
import dev.toolgate.store.grant.GrantAdministration;
import dev.toolgate.store.grant.Groups;
import dev.toolgate.store.grant.PermissionHistory;
import dev.toolgate.store.grant.UnknownTarget;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProvisioningTest {
    private static final TenantId FIRST = new TenantId("default");
    private static final TenantId ACME = new TenantId("acme");
    private static final AgentId ALICE = new AgentId("alice");
    private static final Author ROOT = new Author("root", "hired");

    private final List<TenantId> told = new ArrayList<>();
    private Database database;
    private Tenants tenants;
    private Agents agents;
    private ApiKeys keys;
    private TenantProvisioning tenantProvisioning;
    private AgentProvisioning agentProvisioning;

    @BeforeEach
    void open() throws Exception {
        database = Database.open(MigratedDatabase.fresh());
        Jdbi jdbi = database.jdbi();
        tenants = new Tenants(jdbi);
        agents = new Agents(jdbi, _ -> {});
        keys = new ApiKeys(jdbi, _ -> {});
        tenantProvisioning = new TenantProvisioning(jdbi, tenants, keys);
        agentProvisioning =
                new AgentProvisioning(jdbi, agents, new GrantAdministration(jdbi, new None(), _ -> {}), told::add);
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    @Test
    void a_tenant_is_created_once_with_an_admin_key() {
        CreatedKey made = tenantProvisioning.create(ACME, "Acme", "root").orElseThrow();

        assertThat(made.key().tenant()).isEqualTo(ACME);
        assertThat(made.key().role()).isEqualTo("admin");
        assertThat(tenantProvisioning.create(ACME, "Again", "root")).isEmpty();
        assertThat(keys.list(ACME, null, 10)).hasSize(1);
    }

    @Test
    void a_tenant_is_not_created_if_its_key_fails() {
        assertThatThrownBy(() -> tenantProvisioning.create(ACME, "Acme", "r".repeat(101)))
                .isNotInstanceOf(Unavailable.class);

        assertThat(tenants.exists(ACME)).isFalse();
    }

    @Test
    void an_agent_is_not_created_if_its_template_is_unknown() {
        assertThatThrownBy(() -> agentProvisioning.create(FIRST, ALICE, null, null, "wizard", ROOT))
                .isInstanceOf(UnknownTarget.class);

        assertThat(agents.find(FIRST, ALICE)).isEmpty();
        assertThat(history().changes(FIRST, ChangeFilter.ALL, null, 10)).isEmpty();
    }

    @Test
    void an_agent_is_created_with_its_template_and_history() {
        assertThat(agentProvisioning.create(FIRST, ALICE, "Alice", null, "reviewer", ROOT))
                .isPresent();

        assertThat(told).containsExactly(FIRST);
        assertThat(history().effective(FIRST, ALICE)).isNotEmpty();
        assertThat(history().changes(FIRST, ChangeFilter.of(ALICE), null, 100))
                .allMatch(change -> change.changedBy().equals("root") && "hired".equals(change.reason()))
                .last()
                .matches(change -> change.toolName().equals("*") && change.newState());
    }

    @Test
    void the_last_usable_admin_key_cannot_be_revoked() {
        CreatedKey last = tenantProvisioning.create(ACME, "Acme", "root").orElseThrow();
        keys.create(
                NewKey.of(ACME, "admin", null, "", Clock.systemUTC().instant().minusSeconds(1), "root"));
        CreatedKey auditor = keys.create(NewKey.of(ACME, "auditor", null, "", null, "root"));

        assertThat(keys.revokeUnlessLastAdmin(ACME, last.key().id(), "root")).isEqualTo(Revocation.LAST_ADMIN);
        assertThat(keys.revokeUnlessLastAdmin(ACME, auditor.key().id(), "root")).isEqualTo(Revocation.DONE);
        assertThat(keys.revokeUnlessLastAdmin(ACME, auditor.key().id(), "root")).isEqualTo(Revocation.NOT_FOUND);
        assertThat(keys.revokeUnlessLastAdmin(FIRST, last.key().id(), "eve")).isEqualTo(Revocation.NOT_FOUND);
    }

    @Test
    void administration_is_unavailable_without_a_database() throws Exception {
        Jdbi jdbi = database.jdbi();
        database.close();

        assertThatThrownBy(() -> new PermissionHistory(jdbi, Clock.systemUTC()).permissions(FIRST, null, 10))
                .isInstanceOf(Unavailable.class);
        assertThatThrownBy(() -> new Groups(jdbi, _ -> {}).list(FIRST, null, 10))
                .isInstanceOf(Unavailable.class);
        assertThatThrownBy(() -> new GrantAdministration(jdbi, new None(), _ -> {}).edit(FIRST, List.of(), ROOT))
                .isInstanceOf(Unavailable.class);
        assertThatThrownBy(() -> agentProvisioning.create(FIRST, ALICE, null, null, null, ROOT))
                .isInstanceOf(Unavailable.class);
    }

    private PermissionHistory history() {
        return new PermissionHistory(database.jdbi(), Clock.systemUTC());
    }

    private static final class None implements Conditions {
        @Override
        public Condition compile(String text) {
            throw new InvalidCondition("There are no conditions here.");
        }

        @Override
        public void check(String text, ConditionExamples examples) {
            throw new InvalidCondition("There are no conditions here.");
        }
    }
}
