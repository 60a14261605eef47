package dev.toolgate.server.limit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.limit.Limits;
import dev.toolgate.core.tool.Alias;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolCatalog;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolSpec;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.connection.DatabaseUrl;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RateLimitsTest {
    private static final Duration DAY = Duration.ofDays(1);
    private static final Limit TWO_A_DAY = Limit.of(2, DAY);
    private static final Caller ALICE = caller("acme", "alice");
    private static final Caller BOB = caller("acme", "bob");
    private static final Caller STRANGER = caller("other", "alice");

    private static DatabaseUrl url;
    private static Database database;

    private final ToolCatalog catalog = new ToolCatalog();

    @BeforeAll
    static void open() throws Exception {
        url = MigratedDatabase.fresh();
        database = Database.open(url);
    }

    @AfterAll
    static void close() throws Exception {
        database.close();
    }

    @BeforeEach
    void empty() {
        database.jdbi().useHandle(handle -> handle.execute("TRUNCATE rate_limit_buckets"));
        catalog.add(new Named("bash", "RunCommand"));
        catalog.add(new Named("file_read", "ReadFile"));
    }

    @Test
    void without_settings_nothing_is_counted() {
        assertThat(RateLimits.of(RateLimitSettings.OFF, catalog, database.dataSource()))
                .isSameAs(Limits.NONE);
    }

    @Test
    void an_agent_over_the_limit_is_told_how_long_to_wait() {
        Limits limits = limits(new RateLimitSettings(TWO_A_DAY, null, null));

        assertThat(limits.mustWait(ALICE, "bash")).isEmpty();
        assertThat(limits.mustWait(ALICE, "bash")).isEmpty();
        assertThat(limits.mustWait(ALICE, "bash"))
                .hasValueSatisfying(wait ->
                        assertThat(wait).isGreaterThan(Duration.ofHours(11)).isLessThanOrEqualTo(Duration.ofHours(12)));
        assertThat(limits.mustWait(ALICE, "file_read")).isEmpty();
        assertThat(limits.mustWait(BOB, "bash")).isEmpty();
        assertThat(limits.mustWait(STRANGER, "bash")).isEmpty();
    }

    @Test
    void an_alias_of_the_tool_does_not_bypass_its_limit() {
        Limits limits = limits(new RateLimitSettings(TWO_A_DAY, null, null));

        assertThat(limits.mustWait(ALICE, "bash")).isEmpty();
        assertThat(limits.mustWait(ALICE, "RunCommand")).isEmpty();
        assertThat(limits.mustWait(ALICE, "RunCommand")).isPresent();
        assertThat(limits.mustWait(ALICE, "bash")).isPresent();
    }

    @Test
    void invented_names_share_one_bucket() {
        Limits limits = limits(new RateLimitSettings(TWO_A_DAY, null, null));
        for (int i = 0; i < 50; i++) {
            limits.mustWait(ALICE, "invented" + i);
        }

        assertThat(limits.mustWait(ALICE, "another")).isPresent();
        assertThat(rows()).isEqualTo(1);
    }

    @Test
    void all_calls_of_an_agent_count_together_and_so_do_those_of_a_tenant() {
        Limits limits = limits(new RateLimitSettings(null, TWO_A_DAY, Limit.of(3, DAY)));

        assertThat(limits.mustWait(ALICE, "bash")).isEmpty();
        assertThat(limits.mustWait(ALICE, "file_read")).isEmpty();
        assertThat(limits.mustWait(ALICE, "bash")).isPresent();
        assertThat(limits.mustWait(BOB, "bash")).isEmpty();
        assertThat(limits.mustWait(BOB, "bash")).isPresent();
        assertThat(limits.mustWait(STRANGER, "bash")).isEmpty();
    }

    @Test
    void a_call_that_one_limit_refuses_does_not_use_up_another() {
        Limits tenantOfOne = limits(new RateLimitSettings(null, TWO_A_DAY, Limit.of(1, DAY)));
        assertThat(tenantOfOne.mustWait(BOB, "bash")).isEmpty();
        for (int i = 0; i < 5; i++) {
            assertThat(tenantOfOne.mustWait(ALICE, "bash")).isPresent();
        }

        Limits agentOnly = limits(new RateLimitSettings(null, TWO_A_DAY, null));
        assertThat(agentOnly.mustWait(ALICE, "bash")).isEmpty();
        assertThat(agentOnly.mustWait(ALICE, "bash")).isEmpty();
        assertThat(agentOnly.mustWait(ALICE, "bash")).isPresent();
    }

    @Test
    void several_instances_share_one_limit_however_many_call_at_once() throws Exception {
        RateLimitSettings settings = new RateLimitSettings(Limit.of(40, DAY), Limit.of(60, DAY), Limit.of(50, DAY));
        AtomicInteger passed = new AtomicInteger();
        try (Database second = Database.open(url);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Limits one = limits(settings);
            Limits other = RateLimits.of(settings, catalog, second.dataSource());
            for (int thread = 0; thread < 32; thread++) {
                Limits instance = thread % 2 == 0 ? one : other;
                String name = thread % 3 == 0 ? "bash" : "RunCommand";
                threads.execute(() -> {
                    for (int call = 0; call < 10; call++) {
                        if (instance.mustWait(ALICE, name).isEmpty()) {
                            passed.incrementAndGet();
                        }
                    }
                });
            }
        }
        assertThat(passed).hasValue(40);
    }

    @Test
    void changed_limits_start_with_full_buckets() {
        assertThat(limits(new RateLimitSettings(null, Limit.of(1, DAY), null)).mustWait(ALICE, "bash"))
                .isEmpty();
        assertThat(limits(new RateLimitSettings(null, Limit.of(1, DAY), null)).mustWait(ALICE, "bash"))
                .isPresent();
        assertThat(limits(new RateLimitSettings(null, Limit.of(2, DAY), null)).mustWait(ALICE, "bash"))
                .isEmpty();
    }

    @Test
    void only_full_buckets_are_deleted() {
        RateLimits limits = limits(new RateLimitSettings(null, TWO_A_DAY, null));
        limits.mustWait(ALICE, "bash");
        limits.mustWait(BOB, "bash");
        limits.mustWait(BOB, "bash");
        database.jdbi()
                .useHandle(
                        handle -> handle.execute(
                                "UPDATE rate_limit_buckets SET full_at = clock_timestamp() - interval '1 s' WHERE agent_id = 'alice'"));

        limits.sweep();
        assertThat(rows()).isEqualTo(1);
        assertThat(limits.mustWait(ALICE, "bash")).isEmpty();
        assertThat(limits.mustWait(BOB, "bash")).isPresent();
    }

    @Test
    void without_a_database_the_limit_is_unavailable() throws Exception {
        Database lost = Database.open(url);
        Limits limits = RateLimits.of(new RateLimitSettings(null, TWO_A_DAY, null), catalog, lost.dataSource());
        assertThat(limits.mustWait(ALICE, "bash")).isEmpty();
        lost.close();

        assertThatThrownBy(() -> limits.mustWait(ALICE, "bash")).isInstanceOf(Unavailable.class);
    }

    @Test
    void invalid_limits_are_refused() {
        assertThatThrownBy(() -> Limit.of(0, DAY)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Limit.of(1, Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Limit(1, DAY, 0)).isInstanceOf(IllegalArgumentException.class);
    }

    private RateLimits limits(RateLimitSettings settings) {
        return (RateLimits) RateLimits.of(settings, catalog, database.dataSource());
    }

    private int rows() {
        return database.jdbi().withHandle(handle -> handle.createQuery("SELECT count(*) FROM rate_limit_buckets")
                .mapTo(int.class)
                .one());
    }

    private static Caller caller(String tenant, String agent) {
        return Caller.ofAgent(new TenantId(tenant), new AgentId(agent), null, new WorkspaceId("any"));
    }

    record Nothing() {}

    private record Named(String name, String alias) implements Tool<Nothing> {
        @Override
        public ToolSpec<Nothing> spec() {
            return ToolSpec.of(name, Nothing.class, Category.FILE, "Any.Thing", "Does nothing.")
                    .alsoKnownAs(Alias.runtime(alias));
        }

        @Override
        public Output call(Nothing arguments, ToolContext context) {
            return Output.text("");
        }
    }
}
