package dev.toolgate.store.grant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.ConditionExamples;
import dev.toolgate.core.decision.Grants;
import dev.toolgate.core.decision.InvalidCondition;
import dev.toolgate.core.json.Json;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GrantAdministrationTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId OTHER = new TenantId("other");
    private static final AgentId ALICE = new AgentId("alice");
    private static final AgentId BOB = new AgentId("bob");
    private static final Author ROOT = new Author("root", "because");

    private GrantStore store;
    private PermissionHistory history;

    @BeforeEach
    void open() throws Exception {
        store = GrantStore.open();
        history = new PermissionHistory(store.database().jdbi(), Clock.systemUTC());
    }

    @AfterEach
    void close() throws Exception {
        store.close();
    }

    @Test
    void every_change_is_in_the_history_with_author_and_reason() {
        store.administration().grant(ACME, ALICE, "bash", Terms.PLAIN, ROOT);
        store.administration().refuse(ACME, ALICE, "bash", null, new Author("eve", null));
        store.administration().revoke(ACME, ALICE, "bash", ROOT);
        store.administration().revoke(ACME, ALICE, "bash", ROOT); // nothing left to revoke

        List<PermissionChange> changes = history.changes(ACME, ChangeFilter.of(ALICE), null, 10);
        assertThat(changes).extracting(PermissionChange::previousState).containsExactly(false, true, null);
        assertThat(changes).extracting(PermissionChange::newState).containsExactly(false, false, true);
        assertThat(changes).extracting(PermissionChange::changedBy).containsExactly("root", "eve", "root");
        assertThat(changes).extracting(PermissionChange::reason).containsExactly("because", null, "because");
        assertThat(history.changes(OTHER, ChangeFilter.ALL, null, 10)).isEmpty();
        assertThat(history.changes(ACME, ChangeFilter.ALL, changes.getFirst().id(), 1))
                .containsExactly(changes.get(1));
    }

    @Test
    void changed_terms_are_in_the_history() {
        store.administration().grant(ACME, ALICE, "bash", Terms.PLAIN.withApproval(), ROOT);
        store.administration().grant(ACME, ALICE, "bash", Terms.PLAIN, ROOT);

        assertThat(history.changes(ACME, ChangeFilter.of(ALICE), null, 10))
                .extracting(PermissionChange::details)
                .containsExactly("{\"requires_approval\": false}", "{\"requires_approval\": true}");
    }

    @Test
    void a_bulk_change_with_an_error_changes_nothing() {
        List<Edit> edits = List.of(
                new Edit(new Holder.Agent(ALICE), "bash", new Edit.Allow(Terms.PLAIN)),
                new Edit(new Holder.Group("nobody"), "bash", new Edit.Allow(Terms.PLAIN)));

        assertThatThrownBy(() -> store.administration().edit(ACME, edits, ROOT))
                .isInstanceOf(UnknownTarget.class)
                .hasMessage("There is no group 'nobody'.");
        assertThat(store.grants().toolsOf(ACME, ALICE)).isEmpty();
        assertThat(history.changes(ACME, ChangeFilter.ALL, null, 10)).isEmpty();
    }

    @Test
    void an_unknown_tenant_is_refused() {
        assertThatThrownBy(() -> store.administration().grant(new TenantId("nobody"), ALICE, "bash", Terms.PLAIN, ROOT))
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
    void a_template_adds_missing_grants_and_keeps_existing_ones() {
        Grants.Grant asking = Grants.Grant.of(Grants.Approval.REQUIRED, null);
        store.administration().grant(ACME, ALICE, "file_read", Terms.PLAIN.withApproval(), ROOT);
        store.administration().refuse(ACME, ALICE, "web_search", null, ROOT);

        assertThat(store.administration().applyTemplate(ACME, ALICE, "researcher", ROOT))
                .containsExactly("browse_web", "file_list", "memory_retrieve", "memory_save");
        assertThat(store.grants().toolsOf(ACME, ALICE))
                .containsExactly("browse_web", "file_list", "file_read", "memory_retrieve", "memory_save");
        assertThat(store.grants().find(ACME, ALICE, "file_read")).contains(asking);
        assertThat(history.changes(ACME, ChangeFilter.of(ALICE), null, 100)).hasSize(6);
        assertThatThrownBy(() -> store.administration().applyTemplate(ACME, ALICE, "none", ROOT))
                .isInstanceOf(UnknownTarget.class);
    }

    @Test
    void the_matrix_lists_permissions_by_agent_in_pages() {
        store.administration().grant(ACME, ALICE, "bash", Terms.PLAIN, ROOT);
        store.administration().refuse(ACME, BOB, "bash", null, ROOT);

        assertThat(history.permissions(ACME, null, 10).permissions())
                .extracting(Permission::holder, Permission::toolName, Permission::allowed)
                .containsExactly(
                        tuple(new Holder.Agent(ALICE), "bash", true), tuple(new Holder.Agent(BOB), "bash", false));
        PermissionPage first = history.permissions(ACME, null, 1);
        assertThat(first.agents()).containsExactly("alice");
        assertThat(first.next()).isEqualTo(ALICE);
        PermissionPage second = history.permissions(ACME, first.next(), 2);
        assertThat(second.agents()).containsExactly("bob");
        assertThat(second.next()).isNull();
        assertThat(history.permissions(OTHER, null, 10)).isEqualTo(new PermissionPage(List.of(), List.of(), null));
    }

    @Test
    void a_change_of_membership_is_in_the_history() {
        Holder.Group team = new Holder.Group("team");
        store.groups().create(ACME, team, "A team");
        store.groups().add(ACME, team, ALICE, ROOT);
        store.groups().add(ACME, team, ALICE, ROOT);

        assertThat(store.groups().members(ACME, team, null, 10)).containsExactly("alice");
        assertThat(store.groups().list(OTHER, null, 10)).isEmpty();
        assertThat(history.changes(ACME, ChangeFilter.of(ALICE), null, 10))
                .singleElement()
                .satisfies(change -> {
                    assertThat(change.groupId()).isEqualTo("team");
                    assertThat(change.newState()).isTrue();
                });
    }

    @Test
    void the_reason_is_in_the_history_and_notes_are_in_the_grant() {
        store.administration().grant(ACME, ALICE, "bash", Terms.PLAIN.withNotes("for the migration"), ROOT);

        assertThat(history.permission(ACME, ALICE, "bash"))
                .hasValueSatisfying(set -> assertThat(set.terms().notes()).isEqualTo("for the migration"));
        assertThat(history.changes(ACME, ChangeFilter.of(ALICE), null, 10))
                .extracting(PermissionChange::reason)
                .containsExactly("because");

        store.administration().refuse(ACME, ALICE, "bash", "left the project", ROOT);
        assertThat(history.permission(ACME, ALICE, "bash")).hasValueSatisfying(set -> assertThat(set.terms())
                .isEqualTo(Terms.PLAIN.withNotes("left the project")));
    }

    @Test
    void a_new_grant_replaces_all_terms() {
        ConditionExamples examples = new ConditionExamples(
                List.of(Json.MAPPER.createObjectNode().put("operation", "deploy")),
                List.of(Json.MAPPER.createObjectNode().put("operation", "\u0000\ud800")));
        Terms limited = Terms.PLAIN.when("operation=deploy", examples).withMaxUses(3);
        store.administration().grant(ACME, ALICE, "bash", limited, ROOT);
        assertThat(history.permission(ACME, ALICE, "bash"))
                .map(Permission::terms)
                .hasValue(limited);

        store.administration().grant(ACME, ALICE, "bash", Terms.PLAIN, ROOT);
        assertThat(history.permission(ACME, ALICE, "bash"))
                .map(Permission::terms)
                .hasValue(Terms.PLAIN);
        assertThat(history.changes(ACME, ChangeFilter.of(ALICE), null, 10)
                        .getLast()
                        .details())
                .contains("\"condition\": \"operation=deploy\"", "\"max_uses\": 3");
    }

    @Test
    void an_invalid_condition_or_contradicting_example_is_rejected() {
        assertThatThrownBy(() -> store.administration()
                        .grant(ACME, ALICE, "bash", Terms.PLAIN.when("oops", ConditionExamples.NONE), ROOT))
                .isInstanceOf(InvalidCondition.class);
        ConditionExamples wrong =
                new ConditionExamples(List.of(Json.MAPPER.createObjectNode().put("operation", "other")), List.of());
        assertThatThrownBy(() -> store.administration()
                        .grant(ACME, ALICE, "bash", Terms.PLAIN.when("operation=deploy", wrong), ROOT))
                .isInstanceOf(InvalidCondition.class);

        assertThat(history.permission(ACME, ALICE, "bash")).isEmpty();
        assertThat(history.changes(ACME, ChangeFilter.ALL, null, 10)).isEmpty();
    }

    @Test
    void values_that_cannot_be_stored_are_rejected_with_a_message() {
        for (Terms terms : List.of(
                Terms.PLAIN.withMaxUses(0),
                Terms.PLAIN.withNotes("x".repeat(2001)),
                Terms.PLAIN.withNotes("\0"),
                Terms.PLAIN.when("x".repeat(10_000), ConditionExamples.NONE),
                Terms.PLAIN.until(Instant.MAX),
                Terms.PLAIN.when(null, new ConditionExamples(List.of(Json.MAPPER.createObjectNode()), List.of())))) {
            assertThatThrownBy(() -> store.administration().grant(ACME, ALICE, "bash", terms, ROOT))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageEndingWith(".");
        }
        for (String tool : List.of("", " ", "a\nb", "x".repeat(201), "\ud800")) {
            assertThatThrownBy(() -> store.administration().grant(ACME, ALICE, tool, Terms.PLAIN, ROOT))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        store.administration().grant(ACME, ALICE, "mcp.unknown/tool", Terms.PLAIN, ROOT);
        assertThat(store.grants().toolsOf(ACME, ALICE)).containsExactly("mcp.unknown/tool");
    }

    @Test
    void a_template_renews_used_up_grants() {
        store.administration().grant(ACME, ALICE, "file_read", Terms.PLAIN.withMaxUses(1), ROOT);
        store.administration().grant(ACME, ALICE, "file_list", Terms.PLAIN.withMaxUses(1), ROOT);
        store.sql("UPDATE grant_uses SET uses = 1 WHERE agent_permission_id ="
                + " (SELECT id FROM agent_tool_permissions WHERE tool_name = 'file_read')");

        assertThat(store.administration().applyTemplate(ACME, ALICE, "reviewer", ROOT))
                .contains("file_read")
                .doesNotContain("file_list");
    }

    @Test
    void the_history_can_be_filtered_by_tool_and_group() {
        Holder.Group team = new Holder.Group("team");
        store.groups().create(ACME, team, null);
        store.administration().grant(ACME, ALICE, "bash", Terms.PLAIN, ROOT);
        store.administration().grant(ACME, BOB, "file_read", Terms.PLAIN, ROOT);
        store.administration().edit(ACME, List.of(new Edit(team, "bash", new Edit.Allow(Terms.PLAIN))), ROOT);

        assertThat(history.changes(ACME, new ChangeFilter(null, null, "bash", null, null, null), null, 10))
                .extracting(PermissionChange::agentId, PermissionChange::groupId)
                .containsExactly(tuple(null, "team"), tuple("alice", null));
        assertThat(history.changes(ACME, new ChangeFilter(null, team, null, null, null, null), null, 10))
                .extracting(PermissionChange::toolName)
                .containsExactly("bash");
        assertThat(history.changes(OTHER, new ChangeFilter(null, team, null, null, null, null), null, 10))
                .isEmpty();
    }
}
