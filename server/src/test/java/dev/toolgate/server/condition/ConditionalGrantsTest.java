package dev.toolgate.server.condition;

import static dev.toolgate.server.condition.ConditionFixture.TOOL;
import static dev.toolgate.server.condition.ConditionFixture.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.ConditionExamples;
import dev.toolgate.core.decision.Decision;
import dev.toolgate.core.decision.GrantRule;
import dev.toolgate.core.decision.InvalidCondition;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.grant.Author;
import dev.toolgate.store.grant.GrantAdministration;
import dev.toolgate.store.grant.PostgresGrants;
import dev.toolgate.store.grant.Terms;
import java.time.Clock;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Conditions of stored grants in decisions. */
class ConditionalGrantsTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final AgentId ALICE = new AgentId("alice");
    private static final Author ROOT = new Author("root", null);

    private static Database database;

    private PostgresGrants grants;
    private GrantAdministration administration;
    private GrantRule rule;

    @BeforeAll
    static void openDatabase() throws Exception {
        database = Database.open(MigratedDatabase.fresh());
    }

    @AfterAll
    static void closeDatabase() throws Exception {
        database.close();
    }

    @BeforeEach
    void open() {
        database.jdbi().useHandle(handle -> {
            handle.execute("TRUNCATE tenants CASCADE");
            handle.execute("INSERT INTO tenants VALUES ('acme', 'Acme'), ('other', 'Other')");
        });
        CelConditions conditions = new CelConditions();
        grants = new PostgresGrants(database.connections(), conditions, Clock.systemUTC());
        administration = new GrantAdministration(database.jdbi(), conditions, grants::changed);
        rule = new GrantRule(grants, Clock.systemUTC());
    }

    @AfterEach
    void close() {
        grants.close();
    }

    @Test
    void a_grant_covers_the_calls_that_match_its_condition() {
        grantWhen("params.path.startsWith('/src/')");

        assertThat(decide("{\"path\": \"/src/a\"}")).isEqualTo(Decision.allow());
        assertThat(decide("{\"path\": \"/etc/passwd\"}")).isInstanceOf(Decision.Deny.class);
        assertThat(rule.spend(call("{\"path\": \"/etc/passwd\"}"), TOOL)).isFalse();
        assertThat(grants.find(new TenantId("other"), ALICE, "file_list")).isEmpty();
    }

    @Test
    void a_condition_that_cannot_be_evaluated_denies_with_the_reason() {
        grantWhen("params.owner == agent");

        assertThat(decide("{\"secret\": \"hunter2\"}"))
                .isEqualTo(new Decision.Deny(
                        ErrorCode.PERMISSION_DENIED,
                        "The grant of tool 'file_list' to agent 'alice' does not cover this call: its condition could not"
                                + " be evaluated (there is no 'owner')"));
    }

    @Test
    void a_changed_condition_takes_effect_with_the_next_call() {
        grantWhen("true");
        assertThat(decide("{}")).isEqualTo(Decision.allow());

        grantWhen("false");
        assertThat(decide("{}")).isInstanceOf(Decision.Deny.class);
        grantWhen("true");
        assertThat(decide("{}")).isEqualTo(Decision.allow());
        administration.revoke(ACME, ALICE, "file_list", ROOT);
        assertThat(decide("{}")).isInstanceOf(Decision.Deny.class);
    }

    @Test
    void an_invalid_condition_is_not_saved() {
        assertThatThrownBy(() -> grantWhen("params.path.startsWith(/src/)")).isInstanceOf(InvalidCondition.class);
        assertThatThrownBy(() -> grantWhen("true || ".repeat(1_250) + "true"))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(grants.find(ACME, ALICE, "file_list")).isEmpty();
    }

    private Decision decide(String arguments) {
        return rule.decide(call(arguments), TOOL, null);
    }

    private void grantWhen(String condition) {
        administration.grant(ACME, ALICE, "file_list", Terms.PLAIN.when(condition, ConditionExamples.NONE), ROOT);
    }
}
