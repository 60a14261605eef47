package dev.toolgate.core.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.decision.Grants.Uses;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Contract of grant stores. */
public abstract class GrantsContract {
    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId OTHER = new TenantId("other");
    private static final AgentId ALICE = new AgentId("alice");
    private static final AgentId BOB = new AgentId("bob");

    protected abstract Grants grants();

    protected abstract void grant(TenantId tenant, AgentId agent, String tool, Grants.Grant grant);

    protected abstract void revoke(TenantId tenant, AgentId agent, String tool);

    @Test
    void there_are_no_grants_at_first() {
        assertThat(grants().find(ACME, ALICE, "bash")).isEmpty();
        assertThat(grants().toolsOf(ACME, ALICE)).isEmpty();
    }

    @Test
    void a_grant_holds_for_one_tenant_one_agent_and_one_tool() {
        Grants.Grant plain = Grants.Grant.PLAIN;
        grant(ACME, ALICE, "bash", plain);

        assertThat(grants().find(ACME, ALICE, "bash")).contains(plain);
        assertThat(grants().find(OTHER, ALICE, "bash")).isEmpty();
        assertThat(grants().find(ACME, BOB, "bash")).isEmpty();
        assertThat(grants().find(ACME, ALICE, "file_read")).isEmpty();
    }

    @Test
    void the_terms_of_a_grant_are_stored() {
        Grants.Grant asking = Grants.Grant.of(Grants.Approval.REQUIRED, Instant.parse("2030-01-01T00:00:00Z"));
        grant(ACME, ALICE, "bash", asking);

        assertThat(grants().find(ACME, ALICE, "bash")).contains(asking);
    }

    @Test
    void a_revoked_grant_is_gone_at_once() {
        grant(ACME, ALICE, "bash", Grants.Grant.PLAIN);
        revoke(ACME, ALICE, "bash");

        assertThat(grants().find(ACME, ALICE, "bash")).isEmpty();
        assertThat(grants().toolsOf(ACME, ALICE)).isEmpty();
    }

    @Test
    void tools_are_sorted_and_only_of_the_agents_tenant() {
        grant(ACME, ALICE, "file_read", Grants.Grant.PLAIN);
        grant(ACME, ALICE, "bash", Grants.Grant.PLAIN);
        grant(OTHER, ALICE, "http_request", Grants.Grant.PLAIN);

        assertThat(grants().toolsOf(ACME, ALICE)).containsExactly("bash", "file_read");
    }

    @Test
    void a_counted_grant_can_be_used_that_often_and_no_more() {
        Uses uses = grantUses(2);
        assertThat(grants().usesLeft(ACME, uses)).isEqualTo(2);
        assertThat(grants().toolsOf(ACME, ALICE)).containsExactly("bash");

        assertThat(grants().use(ACME, uses)).isTrue();
        assertThat(grants().usesLeft(ACME, uses)).isEqualTo(1);
        assertThat(grants().use(ACME, uses)).isTrue();
        assertThat(grants().use(ACME, uses)).isFalse();
        assertThat(grants().usesLeft(ACME, uses)).isZero();
        assertThat(grants().toolsOf(ACME, ALICE)).isEmpty();
    }

    @Test
    void granting_again_resets_the_use_count() {
        grants().use(ACME, grantUses(1));

        Uses again = grantUses(1);
        assertThat(grants().usesLeft(ACME, again)).isEqualTo(1);
        assertThat(grants().use(ACME, again)).isTrue();
    }

    @Test
    void another_tenant_cannot_use_up_a_grant() {
        Uses uses = grantUses(1);
        grants().use(OTHER, uses);
        grants().use(OTHER, uses);

        assertThat(grants().usesLeft(ACME, uses)).isEqualTo(1);
        assertThat(grants().use(ACME, uses)).isTrue();
    }

    private Uses grantUses(int max) {
        grant(ACME, ALICE, "bash", new Grants.Grant(Grants.Approval.NOT_NEEDED, null, null, new Uses("any", max)));
        Uses uses = grants().find(ACME, ALICE, "bash").getFirst().uses();
        assertThat(uses).isNotNull().extracting(Uses::max).isEqualTo(max);
        return Objects.requireNonNull(uses);
    }
}
