package dev.toolgate.store.grant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GroupsTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId OTHER = new TenantId("other");
    private static final AgentId ALICE = new AgentId("alice");
    private static final AgentId BOB = new AgentId("bob");
    private static final Holder.Group TEAM = new Holder.Group("team");
    private static final Holder.Group NIGHT = new Holder.Group("night");
    private static final Author ROOT = new Author("root", "because");

    private GrantStore store;
    private Groups groups;
    private PermissionHistory history;

    @BeforeEach
    void open() throws Exception {
        store = GrantStore.open();
        groups = store.groups();
        history = new PermissionHistory(store.database().jdbi(), Clock.systemUTC());
        groups.create(ACME, TEAM, "A team");
    }

    @AfterEach
    void close() throws Exception {
        store.close();
    }

    @Test
    void groups_are_listed_in_pages_with_description_and_size() {
        groups.create(ACME, NIGHT, null);
        groups.add(ACME, TEAM, ALICE, ROOT);
        groups.add(ACME, TEAM, BOB, ROOT);

        assertThat(groups.list(ACME, null, 10))
                .extracting(GroupSummary::groupId, GroupSummary::description, GroupSummary::members)
                .containsExactly(tuple("night", null, 0), tuple("team", "A team", 2));
        assertThat(groups.list(ACME, NIGHT, 10))
                .extracting(GroupSummary::groupId)
                .containsExactly("team");
        assertThat(groups.members(ACME, TEAM, null, 1)).containsExactly("alice");
        assertThat(groups.members(ACME, TEAM, ALICE, 10)).containsExactly("bob");
        assertThat(groups.members(OTHER, TEAM, null, 10)).isEmpty();
        assertThat(groups.find(OTHER, TEAM)).isEmpty();
    }

    @Test
    void a_group_in_an_unknown_tenant_is_rejected() {
        assertThatThrownBy(() -> groups.create(new TenantId("nobody"), TEAM, null))
                .isInstanceOf(UnknownTarget.class)
                .hasMessage("There is no tenant 'nobody'.");
    }

    @Test
    void a_description_can_only_be_changed_in_its_own_tenant() {
        groups.describe(ACME, TEAM, "The team");

        assertThat(groups.find(ACME, TEAM)).map(GroupSummary::description).hasValue("The team");
        assertThatThrownBy(() -> groups.describe(OTHER, TEAM, "Stolen"))
                .isInstanceOf(UnknownTarget.class)
                .hasMessage("There is no group 'team'.");
    }

    @Test
    void deleting_a_group_deletes_its_grants_but_not_its_history() {
        teamMay(new Edit.Allow(Terms.PLAIN));
        groups.add(ACME, TEAM, ALICE, ROOT);
        assertThat(groups.permissions(ACME, TEAM)).hasSize(1);
        assertThat(store.grants().toolsOf(ACME, ALICE)).containsExactly("bash");
        assertThatThrownBy(() -> groups.delete(OTHER, TEAM, ROOT)).isInstanceOf(UnknownTarget.class);

        groups.delete(ACME, TEAM, new Author("eve", "the team is no more"));

        assertThat(store.grants().find(ACME, ALICE, "bash")).isEmpty();
        assertThat(groups.list(ACME, null, 10)).isEmpty();
        assertThat(groups.permissions(ACME, TEAM)).isEmpty();
        assertThat(history.changes(ACME, new ChangeFilter(null, TEAM, null, null, null, null), null, 2))
                .extracting(
                        PermissionChange::agentId,
                        PermissionChange::toolName,
                        PermissionChange::newState,
                        PermissionChange::changedBy)
                .containsExactly(tuple("alice", "*", false, "eve"), tuple(null, "bash", false, "eve"));
    }

    @Test
    void effective_permissions_name_their_sources() {
        teamMay(new Edit.Allow(Terms.PLAIN.withApproval()));
        groups.add(ACME, TEAM, ALICE, ROOT);
        store.administration().grant(ACME, ALICE, "bash", Terms.PLAIN.until(Instant.EPOCH), ROOT);
        store.administration().grant(ACME, ALICE, "file_read", Terms.PLAIN.until(Instant.EPOCH), ROOT);

        List<EffectivePermission> effective = history.effective(ACME, ALICE);
        assertThat(effective)
                .extracting(EffectivePermission::toolName, EffectivePermission::state)
                .containsExactly(tuple("bash", Permission.State.ALLOWED), tuple("file_read", Permission.State.EXPIRED));
        assertThat(effective.getFirst().sources())
                .extracting(source -> source.permission().holder(), EffectivePermission.Source::state)
                .containsExactly(
                        tuple(new Holder.Agent(ALICE), Permission.State.EXPIRED),
                        tuple(TEAM, Permission.State.ALLOWED));

        teamMay(new Edit.Refuse("not any more"));
        assertThat(history.effective(ACME, ALICE).getFirst().state()).isEqualTo(Permission.State.REFUSED);
        assertThat(history.effective(OTHER, ALICE)).isEmpty();
    }

    @Test
    void a_grant_that_is_used_up_is_shown_as_such() {
        store.administration().grant(ACME, ALICE, "bash", Terms.PLAIN.withMaxUses(1), ROOT);
        assertThat(history.effective(ACME, ALICE).getFirst().state()).isEqualTo(Permission.State.ALLOWED);

        store.sql("UPDATE grant_uses SET uses = 1");
        assertThat(history.effective(ACME, ALICE).getFirst().state()).isEqualTo(Permission.State.USED_UP);
        assertThat(history.permission(ACME, ALICE, "bash"))
                .map(Permission::uses)
                .hasValue(1);
    }

    private void teamMay(Edit.Setting setting) {
        store.administration().edit(ACME, List.of(new Edit(TEAM, "bash", setting)), ROOT);
    }
}
