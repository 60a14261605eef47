package dev.toolgate.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.json.Json;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Contract of policy stores. */
public abstract class PoliciesContract {
    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId OTHER = new TenantId("other");
    private static final SessionId SESSION = new SessionId("session_1");
    private static final Instant EXPIRY = Instant.parse("2030-01-01T00:00:00.123456Z");

    protected abstract Policies policies() throws Exception;

    protected abstract void put(PolicyBundle bundle);

    protected abstract void end(TenantId tenant, SessionId session);

    @Test
    void there_are_no_sessions_at_first() throws Exception {
        assertThat(policies().find(ACME, SESSION)).isEmpty();
    }

    @Test
    void a_bundle_is_kept_with_every_detail() throws Exception {
        PolicyBundle whole = new PolicyBundle(
                "7",
                PolicyBundle.SCHEMA_VERSION,
                ACME,
                "user",
                SESSION,
                EXPIRY,
                List.of(
                        CapabilityGrant.named("File.Read"),
                        new CapabilityGrant(
                                "Shell.Exec",
                                List.of("/a"),
                                List.of("/a/b"),
                                List.of("ls"),
                                List.of(),
                                List.of("example.org"),
                                List.of("bash"),
                                1L << 40,
                                1000,
                                true,
                                "rule_1")),
                new LlmPolicy(List.of("model"), 1L, 2L, 1L << 40),
                List.of(new ApprovalRule("rule_1", "Title", "Description"), new ApprovalRule("rule_2", "Title", null)),
                List.of(
                        new McpServer(
                                "files",
                                "https://example.org/mcp",
                                Json.MAPPER.createObjectNode().put("type", "bearer"),
                                List.of("read")),
                        new McpServer("all", "https://example.org/all", null, null)));
        put(whole);

        assertThat(bundle(ACME)).contains(whole);
    }

    @Test
    void the_same_session_id_means_another_session_for_another_tenant() throws Exception {
        put(bundle("1", ACME));
        assertThat(policies().find(OTHER, SESSION)).isEmpty();

        put(bundle("2", OTHER));
        end(OTHER, SESSION);
        assertThat(policies().find(ACME, SESSION)).contains(Session.under(bundle("1", ACME)));
    }

    @Test
    void a_new_bundle_replaces_the_old_one() throws Exception {
        put(bundle("1", ACME));
        put(bundle("2", ACME));

        assertThat(bundle(ACME)).contains(bundle("2", ACME));
    }

    @Test
    void a_session_that_has_ended_says_so_at_once() throws Exception {
        put(bundle("1", ACME));
        end(ACME, SESSION);

        assertThat(policies().find(ACME, SESSION))
                .get()
                .extracting(Session::endedAt)
                .isNotNull();
    }

    private Optional<PolicyBundle> bundle(TenantId tenant) throws Exception {
        return policies().find(tenant, SESSION).map(Session::bundle);
    }

    private static PolicyBundle bundle(String version, TenantId tenant) {
        return PolicyBundle.of(version, PolicyBundle.SCHEMA_VERSION, tenant, "user", SESSION, EXPIRY, List.of());
    }
}
