package dev.toolgate.store.grant;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.Condition;
import dev.toolgate.core.decision.ConditionExamples;
import dev.toolgate.core.decision.Decision;
import dev.toolgate.core.decision.GrantRule;
import dev.toolgate.core.decision.Grants;
import dev.toolgate.core.decision.Grants.Approval;
import dev.toolgate.core.decision.GrantsContract;
import dev.toolgate.store.connection.Connections;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
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
        store.administration().grant(tenant, agent, tool, terms(grant), ROOT);
    }

    @Override
    protected void revoke(TenantId tenant, AgentId agent, String tool) {
        store.administration().revoke(tenant, agent, tool, ROOT);
    }

    @Test
    void a_member_has_the_grants_of_its_group_until_it_leaves() {
        teamMay("bash", Grants.Grant.PLAIN);
        assertThat(grants().find(ACME, ALICE, "bash")).isEmpty();

        store.groups().add(ACME, TEAM, ALICE, ROOT);
        assertThat(grants().find(ACME, ALICE, "bash")).contains(Grants.Grant.PLAIN);
        assertThat(grants().toolsOf(ACME, ALICE)).containsExactly("bash");

        store.groups().remove(ACME, TEAM, ALICE, ROOT);
        assertThat(grants().find(ACME, ALICE, "bash")).isEmpty();
    }

    @Test
    void an_explicit_denial_overrides_a_grant_of_a_group() {
        teamMay("bash", Grants.Grant.PLAIN);
        store.groups().add(ACME, TEAM, ALICE, ROOT);
        store.administration().refuse(ACME, ALICE, "bash", null, ROOT);

        assertThat(grants().find(ACME, ALICE, "bash")).isEmpty();
        assertThat(grants().toolsOf(ACME, ALICE)).isEmpty();
    }

    @Test
    void a_denial_of_a_group_overrides_a_grant_of_a_member() {
        grant(ACME, ALICE, "bash", Grants.Grant.PLAIN);
        store.groups().create(ACME, TEAM, null);
        store.groups().add(ACME, TEAM, ALICE, ROOT);
        store.administration().edit(ACME, List.of(new Edit(TEAM, "bash", new Edit.Refuse(null))), ROOT);

        assertThat(grants().find(ACME, ALICE, "bash")).isEmpty();
    }

    @Test
    void grants_of_an_agent_and_its_groups_are_combined() {
        Grants.Grant asking = Grants.Grant.of(Grants.Approval.REQUIRED, FUTURE);
        teamMay("bash", asking);
        store.groups().add(ACME, TEAM, ALICE, ROOT);
        grant(ACME, ALICE, "bash", Grants.Grant.PLAIN);

        assertThat(grants().find(ACME, ALICE, "bash")).containsExactlyInAnyOrder(asking, Grants.Grant.PLAIN);
    }

    @Test
    void an_expired_grant_is_returned_but_its_tool_is_not_listed() {
        Grants.Grant expired = Grants.Grant.of(Grants.Approval.NOT_NEEDED, PAST);
        grant(ACME, ALICE, "bash", expired);

        assertThat(grants().find(ACME, ALICE, "bash")).contains(expired);
        assertThat(grants().toolsOf(ACME, ALICE)).isEmpty();
    }

    @Test
    void a_condition_is_compiled_once_per_text() throws Exception {
        OperationConditions language = new OperationConditions();
        try (PostgresGrants counted = new PostgresGrants(store.database().connections(), language, Clock.systemUTC())) {
            for (String tool : List.of("bash", "file_read", "file_write")) {
                grantWhen(tool, "operation=deploy");
            }
            for (int round = 0; round < 3; round++) {
                counted.changed(ACME);
                assertThat(counted.find(ACME, ALICE, "bash"))
                        .extracting(Grants.Grant::condition)
                        .singleElement(type(Condition.class))
                        .returns("operation=deploy", Condition::text);
                grantWhen("bash", "operation=deploy"); // invalidates the cache
            }
            assertThat(language.compiled).hasValue(1);
            assertThat(counted.toolsOf(ACME, ALICE)).containsExactly("bash", "file_read", "file_write");
        }
    }

    @Test
    void concurrent_lookups_of_the_same_agent_share_few_queries() throws Exception {
        grant(ACME, ALICE, "bash", Grants.Grant.PLAIN);
        AtomicInteger asked = new AtomicInteger();
        DataSource counting = (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (_, method, arguments) -> {
                    asked.incrementAndGet();
                    return method.invoke(store.database().dataSource(), arguments);
                });
        try (PostgresGrants crowded = new PostgresGrants(
                        new Connections(
                                counting,
                                store.database().connections().checks(),
                                store.database().listener()),
                        new OperationConditions(),
                        Clock.systemUTC());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<List<Grants.Grant>>> crowd = IntStream.range(0, 300)
                    .mapToObj(_ -> threads.submit(() -> crowded.find(ACME, ALICE, "bash")))
                    .toList();
            for (Future<List<Grants.Grant>> answer : crowd) {
                assertThat(answer.get()).contains(Grants.Grant.PLAIN);
            }
        }
        assertThat(asked).hasValueBetween(1, 6);
    }

    @Test
    void an_invalid_stored_condition_denies_calls_with_a_reason() {
        grant(ACME, ALICE, "bash", Grants.Grant.PLAIN);
        store.sql("UPDATE agent_tool_permissions SET condition = 'written by hand'");
        store.grants().changed(ACME);

        GrantRule rule = new GrantRule(grants(), Clock.systemUTC());
        Call call = Calls.of(ACME, ALICE, "bash");
        assertThat(rule.decide(call, Calls.tool("bash"), null))
                .isEqualTo(new Decision.Deny(
                        ErrorCode.PERMISSION_DENIED,
                        "The grant of tool 'bash' to agent 'alice' does not cover this call: its condition could not be"
                                + " evaluated (There is a mistake at position 1:1.)"));
        assertThat(rule.spend(call, Calls.tool("bash"))).isFalse();
    }

    @Test
    void a_maximum_of_uses_set_by_sql_is_enforced() {
        grant(ACME, ALICE, "bash", Grants.Grant.PLAIN);
        store.sql("UPDATE agent_tool_permissions SET max_uses = 1");
        store.grants().changed(ACME);

        GrantRule rule = new GrantRule(grants(), Clock.systemUTC());
        Call call = Calls.of(ACME, ALICE, "bash");
        assertThat(rule.spend(call, Calls.tool("bash"))).isTrue();
        assertThat(rule.spend(call, Calls.tool("bash"))).isFalse();
    }

    @Test
    void a_use_does_not_change_the_version_of_permissions() {
        grant(ACME, ALICE, "bash", new Grants.Grant(Approval.NOT_NEEDED, null, null, new Grants.Uses("any", 5)));
        long before = version();
        Grants.Uses uses =
                requireNonNull(grants().find(ACME, ALICE, "bash").getFirst().uses());

        assertThat(grants().use(ACME, uses)).isTrue();
        assertThat(version()).isEqualTo(before);
    }

    @Test
    void uses_of_a_group_are_shared_by_members_and_deleted_with_it() {
        AgentId bob = new AgentId("bob");
        teamMay("bash", new Grants.Grant(Approval.NOT_NEEDED, null, null, new Grants.Uses("any", 1)));
        store.groups().add(ACME, TEAM, ALICE, ROOT);
        store.groups().add(ACME, TEAM, bob, ROOT);
        GrantRule rule = new GrantRule(grants(), Clock.systemUTC());

        assertThat(rule.spend(Calls.of(ACME, ALICE, "bash"), Calls.tool("bash")))
                .isTrue();
        assertThat(rule.spend(Calls.of(ACME, bob, "bash"), Calls.tool("bash"))).isFalse();
        assertThat(grants().toolsOf(ACME, bob)).isEmpty();

        store.groups().delete(ACME, TEAM, ROOT);
        assertThat(store.count("SELECT count(*) FROM grant_uses")).isZero();
    }

    @Test
    void expired_and_used_up_grants_have_different_reasons() {
        Instant soon = Instant.now().plus(Duration.ofHours(1));
        grant(ACME, ALICE, "bash", new Grants.Grant(Approval.NOT_NEEDED, PAST, null, new Grants.Uses("any", 1)));
        grant(ACME, ALICE, "file_read", new Grants.Grant(Approval.NOT_NEEDED, soon, null, new Grants.Uses("any", 1)));
        GrantRule rule = new GrantRule(grants(), Clock.systemUTC());
        assertThat(rule.spend(Calls.of(ACME, ALICE, "file_read"), Calls.tool("file_read")))
                .isTrue();

        assertThat(reason(rule, "bash")).endsWith("has expired");
        assertThat(reason(rule, "file_read")).endsWith("is used up after 1 uses");
        assertThat(grants().toolsOf(ACME, ALICE)).isEmpty();
    }

    private static String reason(GrantRule rule, String tool) {
        return rule.decide(Calls.of(ACME, ALICE, tool), Calls.tool(tool), null) instanceof Decision.Deny denied
                ? denied.reason()
                : "";
    }

    private long version() {
        return store.count("SELECT version FROM permission_versions WHERE tenant_id = 'acme'");
    }

    private void grantWhen(String tool, String condition) {
        store.administration().grant(ACME, ALICE, tool, Terms.PLAIN.when(condition, ConditionExamples.NONE), ROOT);
    }

    private static Terms terms(Grants.Grant grant) {
        Terms terms = grant.approval() == Approval.REQUIRED ? Terms.PLAIN.withApproval() : Terms.PLAIN;
        return terms.until(grant.expiresAt())
                .withMaxUses(grant.uses() == null ? null : grant.uses().max());
    }

    private void teamMay(String tool, Grants.Grant grant) {
        store.groups().create(ACME, TEAM, null);
        store.administration().edit(ACME, List.of(new Edit(TEAM, tool, new Edit.Allow(terms(grant)))), ROOT);
    }
}
