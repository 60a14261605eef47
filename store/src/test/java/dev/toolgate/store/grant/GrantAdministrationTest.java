package dev.toolgate.store.grant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.port.Grants;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GrantAdministrationTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId OTHER = new TenantId("other");
    private static final AgentId ALICE = new AgentId("alice");
    private static final Author ROOT = new Author("root", "because");

    private GrantStore store;
    private PermissionHistory history;

    @BeforeEach
    void open() throws Exception {
        store = GrantStore.open();
        history = new PermissionHistory(store.database().jdbi());
    }

    @AfterEach
    void close() throws Exception {
        store.close();
    }

    @Test
    void every_change_is_in_the_history_with_who_and_why() {
        store.administration().grant(ACME, ALICE, "bash", Grants.Grant.PLAIN, ROOT);
        store.administration().refuse(ACME, ALICE, "bash", new Author("eve", null));
        store.administration().revoke(ACME, ALICE, "bash", ROOT);
        store.administration().revoke(ACME, ALICE, "bash", ROOT); // nothing left to take back

        List<PermissionChange> changes = history.changes(ACME, ALICE, null, 10);
        assertThat(changes).extracting(PermissionChange::previousState).containsExactly(false, true, null);
        assertThat(changes).extracting(PermissionChange::newState).containsExactly(false, false, true);
        assertThat(changes).extracting(PermissionChange::changedBy).containsExactly("root", "eve", "root");
        assertThat(changes).extracting(PermissionChange::reason).containsExactly("because", null, "because");
        assertThat(history.changes(OTHER, null, null, 10)).isEmpty();
        assertThat(history.changes(ACME, null, changes.getFirst().id(), 1)).containsExactly(changes.get(1));
    }

    @Test
    void terms_that_change_are_in_the_history() {
        store.administration().grant(ACME, ALICE, "bash", new Grants.Grant(Grants.Approval.REQUIRED, null), ROOT);
        store.administration().grant(ACME, ALICE, "bash", Grants.Grant.PLAIN, ROOT);

        assertThat(history.changes(ACME, ALICE, null, 10))
                .extracting(PermissionChange::details)
                .containsExactly("{\"requires_approval\": false}", "{\"requires_approval\": true}");
    }

    @Test
    void a_bulk_change_with_a_mistake_changes_nothing() {
        List<Edit> edits = List.of(
                new Edit(new Holder.Agent(ALICE), "bash", new Edit.Allow(Grants.Grant.PLAIN)),
                new Edit(new Holder.Group("nobody"), "bash", new Edit.Allow(Grants.Grant.PLAIN)));

        assertThatThrownBy(() -> store.administration().edit(ACME, edits, ROOT))
                .isInstanceOf(UnknownTarget.class)
                .hasMessage("There is no group 'nobody'.");
        assertThat(store.grants().toolsOf(ACME, ALICE)).isEmpty();
        assertThat(history.changes(ACME, null, null, 10)).isEmpty();
    }

    @Test
    void an_unknown_tenant_is_refused() {
        assertThatThrownBy(() ->
                        store.administration().grant(new TenantId("nobody"), ALICE, "bash", Grants.Grant.PLAIN, ROOT))
                .isInstanceOf(UnknownTarget.class);
    }

    @Test
    void six_templates_are_shipped() {
        assertThat(history.templates())
                .extracting(Template::name)
                .containsExactlyInAnyOrder(
                        "Standard Backend Dev",
                        "Standard Frontend Dev",
                        "Reviewer",
                        "Researcher",
                        "Data Analyst",
                        "Full Access");
        assertThat(history.templates())
                .allSatisfy(template -> assertThat(template.tools()).isNotEmpty());
    }

    @Test
    void a_template_adds_what_is_missing_and_leaves_the_rest_alone() {
        Grants.Grant asking = new Grants.Grant(Grants.Approval.REQUIRED, null);
        store.administration().grant(ACME, ALICE, "file_read", asking, ROOT);
        store.administration().refuse(ACME, ALICE, "web_search", ROOT);

        assertThat(store.administration().applyTemplate(ACME, ALICE, "researcher", ROOT))
                .containsExactly("browse_web", "file_list", "memory_retrieve", "memory_save");
        assertThat(store.grants().toolsOf(ACME, ALICE))
                .containsExactly("browse_web", "file_list", "file_read", "memory_retrieve", "memory_save");
        assertThat(store.grants().find(ACME, ALICE, "file_read")).contains(asking);
        assertThat(history.changes(ACME, ALICE, null, 100)).hasSize(6);
        assertThatThrownBy(() -> store.administration().applyTemplate(ACME, ALICE, "none", ROOT))
                .isInstanceOf(UnknownTarget.class);
    }

    @Test
    void the_matrix_shows_what_is_set_agent_by_agent() {
        store.administration().grant(ACME, ALICE, "bash", Grants.Grant.PLAIN, ROOT);
        store.administration().refuse(ACME, new AgentId("bob"), "bash", ROOT);

        assertThat(history.permissions(ACME, null, 10))
                .extracting(Permission::agentId, Permission::toolName, Permission::allowed)
                .containsExactly(tuple("alice", "bash", true), tuple("bob", "bash", false));
        assertThat(history.permissions(ACME, ALICE, 10))
                .extracting(Permission::agentId)
                .containsExactly("bob");
        assertThat(history.permissions(OTHER, null, 10)).isEmpty();
    }

    @Test
    void a_change_of_membership_is_in_the_history() {
        Holder.Group team = new Holder.Group("team");
        store.groups().create(ACME, team, "A team");
        store.groups().add(ACME, team, ALICE, ROOT);
        store.groups().add(ACME, team, ALICE, ROOT);

        assertThat(store.groups().members(ACME, team)).containsExactly("alice");
        assertThat(store.groups().list(OTHER)).isEmpty();
        assertThat(history.changes(ACME, ALICE, null, 10)).singleElement().satisfies(change -> {
            assertThat(change.groupId()).isEqualTo("team");
            assertThat(change.newState()).isTrue();
        });
    }
}
