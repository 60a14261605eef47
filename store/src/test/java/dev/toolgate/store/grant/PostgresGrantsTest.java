package dev.toolgate.store.grant;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.port.Grants;
import dev.toolgate.core.port.GrantsContract;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresGrantsTest extends GrantsContract {
    private static final TenantId ACME = new TenantId("acme");
    private static final AgentId ALICE = new AgentId("alice");
    private static final Holder.Group TEAM = new Holder.Group("team");
    private static final Author ROOT = new Author("root", "test");
    private static final Instant PAST = Instant.parse("2020-01-01T00:00:00Z");
    private static final Instant FUTURE = Instant.parse("2200-01-01T00:00:00Z");

    private GrantStore store;

    @BeforeEach
    void open() throws Exception {
        store = GrantStore.open();
    }

    @AfterEach
    void close() throws Exception {
        store.close();
    }

    @Override
    protected Grants grants() {
        return store.grants();
    }

    @Override
    protected void grant(TenantId tenant, AgentId agent, String tool, Grants.Grant grant) {
        store.administration().grant(tenant, agent, tool, grant, ROOT);
    }

    @Override
    protected void revoke(TenantId tenant, AgentId agent, String tool) {
        store.administration().revoke(tenant, agent, tool, ROOT);
    }

    @Test
    void a_member_has_what_its_group_has_until_it_leaves() {
        teamMay("bash", Grants.Grant.PLAIN);
        assertThat(grants().find(ACME, ALICE, "bash")).isEmpty();

        store.groups().add(ACME, TEAM, ALICE, ROOT);
        assertThat(grants().find(ACME, ALICE, "bash")).contains(Grants.Grant.PLAIN);
        assertThat(grants().toolsOf(ACME, ALICE)).containsExactly("bash");

        store.groups().remove(ACME, TEAM, ALICE, ROOT);
        assertThat(grants().find(ACME, ALICE, "bash")).isEmpty();
    }

    @Test
    void an_explicit_no_wins_over_a_yes_from_a_group() {
        teamMay("bash", Grants.Grant.PLAIN);
        store.groups().add(ACME, TEAM, ALICE, ROOT);
        store.administration().refuse(ACME, ALICE, "bash", ROOT);

        assertThat(grants().find(ACME, ALICE, "bash")).isEmpty();
        assertThat(grants().toolsOf(ACME, ALICE)).isEmpty();
    }

    @Test
    void a_no_to_a_group_wins_over_the_yes_of_a_member() {
        grant(ACME, ALICE, "bash", Grants.Grant.PLAIN);
        store.groups().create(ACME, TEAM, null);
        store.groups().add(ACME, TEAM, ALICE, ROOT);
        store.administration().edit(ACME, List.of(new Edit(TEAM, "bash", new Edit.Refuse())), ROOT);

        assertThat(grants().find(ACME, ALICE, "bash")).isEmpty();
    }

    @Test
    void the_grants_of_an_agent_and_of_its_groups_come_together() {
        Grants.Grant asking = new Grants.Grant(Grants.Approval.REQUIRED, FUTURE);
        teamMay("bash", asking);
        store.groups().add(ACME, TEAM, ALICE, ROOT);
        grant(ACME, ALICE, "bash", Grants.Grant.PLAIN);

        assertThat(grants().find(ACME, ALICE, "bash")).containsExactlyInAnyOrder(asking, Grants.Grant.PLAIN);
    }

    @Test
    void an_expired_grant_is_told_but_its_tool_is_not_listed() {
        Grants.Grant expired = new Grants.Grant(Grants.Approval.NOT_NEEDED, PAST);
        grant(ACME, ALICE, "bash", expired);

        assertThat(grants().find(ACME, ALICE, "bash")).contains(expired);
        assertThat(grants().toolsOf(ACME, ALICE)).isEmpty();
    }

    @Test
    void a_grant_whose_terms_cannot_be_checked_is_not_given_out() {
        grant(ACME, ALICE, "bash", Grants.Grant.PLAIN);
        grant(ACME, ALICE, "file_read", Grants.Grant.PLAIN);
        store.sql("UPDATE agent_tool_permissions SET condition = 'false' WHERE tool_name = 'bash'");
        store.sql("UPDATE agent_tool_permissions SET max_uses = 1 WHERE tool_name = 'file_read'");
        store.grants().changed(ACME);

        assertThat(grants().find(ACME, ALICE, "bash")).isEmpty();
        assertThat(grants().find(ACME, ALICE, "file_read")).isEmpty();
    }

    private void teamMay(String tool, Grants.Grant grant) {
        store.groups().create(ACME, TEAM, null);
        store.administration().edit(ACME, List.of(new Edit(TEAM, tool, new Edit.Allow(grant))), ROOT);
    }
}
