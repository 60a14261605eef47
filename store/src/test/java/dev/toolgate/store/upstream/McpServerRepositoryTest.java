package dev.toolgate.store.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.json.Json;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import dev.toolgate.store.directory.Tenants;
import dev.toolgate.store.grant.UnknownTarget;
import dev.toolgate.store.upstream.McpServerRepository.FirstTools;
import dev.toolgate.store.upstream.McpServerRepository.PinChange;
import dev.toolgate.store.upstream.McpServerRepository.RemovedServer;
import dev.toolgate.store.upstream.McpServerRepository.ServerWithTools;
import dev.toolgate.store.upstream.StoredServer.Source;
import dev.toolgate.store.upstream.ToolPin.State;
import dev.toolgate.store.version.TenantVersions;
import dev.toolgate.store.version.VersionTable;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

class McpServerRepositoryTest {
    private static final TenantId TENANT = new TenantId("default");
    private static final TenantId OTHER = new TenantId("other");
    private static final ServerName NAME = new ServerName("files");
    private static final PinnedDefinition READ = definition("read", "Reads a file.");
    private static final PinnedDefinition READ_CHANGED = definition("read", "Reads a file and sends it to us.");
    private static final PinnedDefinition WRITE = definition("write", "Writes a file.");

    private Database database;
    private McpServerRepository servers;

    @BeforeEach
    void open() throws Exception {
        database = Database.open(MigratedDatabase.fresh());
        new Tenants(database.jdbi()).create(OTHER, "Other");
        servers = new McpServerRepository(database.jdbi(), InstantSource.system());
    }

    @AfterEach
    void close() throws Exception {
        database.close();
    }

    @Test
    void settings_are_read_as_they_were_written() {
        McpServerSettings remote = new McpServerSettings(
                URI.create("https://mcp.example.com/mcp"),
                List.of(),
                Map.of(),
                Map.of(),
                List.of(),
                false,
                new McpCredentials(
                        McpCredentials.Kind.TOKEN_EXCHANGE,
                        "CLIENT_SECRET",
                        null,
                        null,
                        URI.create("https://issuer.example.com"),
                        "gate",
                        List.of("read"),
                        "SUBJECT"),
                List.of("read"),
                "Mcp.Files",
                Duration.ofSeconds(5),
                Map.of("read", Duration.ofSeconds(1)),
                true,
                false,
                false);
        McpServerSettings program = new McpServerSettings(
                null,
                List.of("server", "--verbose"),
                Map.of("LEVEL", "1"),
                Map.of("TOKEN", "FILES_TOKEN"),
                List.of("api.example.com"),
                false,
                null,
                null,
                McpServerSettings.DEFAULT_CAPABILITY,
                McpServerSettings.DEFAULT_TIMEOUT,
                Map.of(),
                false,
                true,
                false);

        assertThat(add(TENANT, NAME, remote, null, FirstTools.AGREED).server().settings())
                .isEqualTo(remote);
        assertThat(add(TENANT, new ServerName("other"), program, null, FirstTools.AGREED)
                        .server()
                        .settings())
                .isEqualTo(program);
        assertThat(program.secretNames()).containsExactly("FILES_TOKEN");
        assertThat(remote.secretNames()).containsExactly("CLIENT_SECRET", "SUBJECT");
    }

    @Test
    void the_first_tools_are_agreed_with_the_server_and_later_ones_wait() {
        add(TENANT, NAME, remote(), List.of(READ), FirstTools.AGREED);

        List<ToolPin> tools = keep(READ, WRITE);

        assertThat(state(tools, "read")).isEqualTo(State.AGREED);
        assertThat(state(tools, "write")).isEqualTo(State.NEW);
        assertThat(tools.getFirst().agreedBy()).isEqualTo("key:1");
        assertThat(tools.getLast().usable()).isEmpty();
    }

    @Test
    void tools_not_listed_when_the_server_was_added_wait_for_agreement() {
        add(TENANT, NAME, remote(), null, FirstTools.AGREED);

        assertThat(state(keep(READ), "read")).isEqualTo(State.NEW);
    }

    @Test
    void a_changed_definition_waits_until_a_person_agrees_to_exactly_it() {
        add(TENANT, NAME, remote(), List.of(READ), FirstTools.AGREED);

        ToolPin changed = keep(READ_CHANGED).getFirst();
        assertThat(changed.state()).isEqualTo(State.CHANGED);
        assertThat(changed.usable()).isEmpty();
        assertThat(changed.agreed()).isEqualTo(READ);
        assertThat(changed.waiting()).isEqualTo(READ_CHANGED);

        assertThat(servers.agree(TENANT, NAME, "read", READ.hash(), "key:2")).isInstanceOf(PinChange.Outdated.class);
        assertThat(servers.agree(TENANT, NAME, "read", READ_CHANGED.hash(), "key:2"))
                .isInstanceOfSatisfying(
                        PinChange.Changed.class,
                        change -> assertThat(change.after().usable()).contains(READ_CHANGED));
        assertThat(servers.agree(TENANT, NAME, "none", READ.hash(), "key:2")).isInstanceOf(PinChange.Unknown.class);
        assertThat(servers.agree(OTHER, NAME, "read", READ.hash(), "key:2")).isInstanceOf(PinChange.Unknown.class);
    }

    @Test
    void a_definition_restored_as_agreed_needs_no_new_agreement() {
        add(TENANT, NAME, remote(), List.of(READ), FirstTools.AGREED);
        keep(READ_CHANGED);

        assertThat(keep(READ).getFirst().usable()).contains(READ);
    }

    @Test
    void a_refused_definition_stays_refused_until_it_changes() {
        add(TENANT, NAME, remote(), List.of(READ), FirstTools.AGREED);
        servers.refuse(TENANT, NAME, "read", READ.hash(), "key:2");

        assertThat(state(keep(READ), "read")).isEqualTo(State.REFUSED);
        assertThat(state(keep(READ_CHANGED), "read")).isEqualTo(State.NEW);
        servers.refuse(TENANT, NAME, "read", READ_CHANGED.hash(), "key:2");
        assertThat(state(keep(READ_CHANGED), "read")).isEqualTo(State.REFUSED);
        assertThat(servers.agree(TENANT, NAME, "read", READ_CHANGED.hash(), "key:2"))
                .isInstanceOf(PinChange.Changed.class);
    }

    @Test
    void a_tool_that_is_gone_is_not_usable_and_is_remembered_if_it_was_agreed() {
        add(TENANT, NAME, remote(), List.of(READ), FirstTools.AGREED);
        keep(READ, WRITE);

        List<ToolPin> left = keep();

        assertThat(left).extracting(ToolPin::tool).containsExactly("read");
        assertThat(state(left, "read")).isEqualTo(State.GONE);
        assertThat(state(keep(READ_CHANGED), "read")).isEqualTo(State.CHANGED);
        assertThat(state(keep(READ), "read")).isEqualTo(State.AGREED);
    }

    @Test
    void a_listing_of_former_settings_is_not_kept() {
        StoredServer added =
                add(TENANT, NAME, remote(), List.of(READ), FirstTools.AGREED).server();
        assertThat(servers.update(TENANT, NAME, added.revision(), remote(), "key:2"))
                .isPresent();

        assertThat(servers.keepListing(TENANT, NAME, added.revision(), List.of(WRITE)))
                .isEmpty();
        assertThat(servers.update(TENANT, NAME, added.revision(), remote(), "key:3"))
                .as("somebody else was faster")
                .isEmpty();
        servers.remove(TENANT, NAME);
        assertThat(add(TENANT, NAME, remote(), List.of(READ), FirstTools.AGREED)
                        .server()
                        .revision())
                .as("a server that was removed and added is another one")
                .isGreaterThan(added.revision() + 1);
    }

    @Test
    void of_two_concurrent_adds_of_the_same_name_one_succeeds() throws Exception {
        Callable<Boolean> adding =
                () -> servers.add(TENANT, NAME, Source.API, remote(), List.of(READ), FirstTools.AGREED, "key:1")
                        .isPresent();
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            List<Future<Boolean>> both = threads.invokeAll(List.of(adding, adding));
            assertThat(List.of(both.getFirst().get(), both.getLast().get())).containsExactlyInAnyOrder(true, false);
        }
    }

    @Test
    void tenants_can_have_servers_of_the_same_name() {
        add(TENANT, NAME, remote(), List.of(READ), FirstTools.AGREED);
        assertThat(servers.find(OTHER, NAME)).isEmpty();
        add(OTHER, NAME, remote(), List.of(WRITE), FirstTools.AGREED);

        assertThat(servers.remove(TENANT, NAME)).isPresent();
        assertThat(servers.remove(TENANT, NAME)).isEmpty();
        assertThat(servers.all(TENANT)).isEmpty();
        assertThat(servers.all(OTHER)).hasSize(1);
        assertThat(servers.tenants()).containsExactly(OTHER);
        assertThatThrownBy(() -> add(new TenantId("none"), NAME, remote(), null, FirstTools.AGREED))
                .isInstanceOf(UnknownTarget.class);
    }

    @Test
    void the_settings_file_owns_its_servers_and_only_those() {
        add(TENANT, NAME, remote(), List.of(READ), FirstTools.AGREED);
        ServerName mine = new ServerName("mine");
        McpServerSettings first = agreeingFirst();

        servers.takeFromSettings(Map.of(TENANT, Map.of(mine, first)));
        long revision = servers.find(TENANT, mine).orElseThrow().server().revision();
        servers.takeFromSettings(Map.of(TENANT, Map.of(mine, first)));
        StoredServer taken = servers.find(TENANT, mine).orElseThrow().server();
        assertThat(taken.source()).isEqualTo(Source.SETTINGS);
        assertThat(taken.revision()).as("nothing has changed").isEqualTo(revision);
        assertThat(state(
                        servers.keepListing(TENANT, mine, revision, List.of(READ))
                                .orElseThrow()
                                .tools(),
                        "read"))
                .isEqualTo(State.AGREED);

        servers.takeFromSettings(Map.of());
        assertThat(servers.all(TENANT)).extracting(each -> each.server().name()).containsExactly(NAME);
    }

    @Test
    void a_removed_server_is_returned_with_the_accounts_of_its_users() {
        ServerName mine = new ServerName("mine");
        servers.takeFromSettings(Map.of(TENANT, Map.of(mine, agreeingFirst())));
        add(TENANT, NAME, remote(), null, FirstTools.AGREED);
        connect(NAME, 1);
        connect(mine, McpServerRepository.MAX_RETURNED_ACCOUNTS + 2);

        List<RemovedServer> removed = servers.takeFromSettings(Map.of());

        assertThat(removed).hasSize(1);
        assertThat(removed.getFirst().server().name()).isEqualTo(mine);
        assertThat(removed.getFirst().server().settings()).isEqualTo(agreeingFirst());
        assertThat(removed.getFirst().accounts())
                .hasSize(McpServerRepository.MAX_RETURNED_ACCOUNTS)
                .allMatch(account -> account.server().equals(mine));
        assertThat(removed.getFirst().moreAccounts()).isEqualTo(2);
        RemovedServer other = servers.remove(TENANT, NAME).orElseThrow();
        assertThat(other.accounts()).extracting(StoredAccount::server).containsExactly(NAME);
        assertThat(other.moreAccounts()).isZero();
    }

    private void connect(ServerName server, int accounts) {
        database.jdbi().useHandle(handle -> handle.createUpdate("""
                        INSERT INTO mcp_accounts (account_id, tenant_id, server_name, subject, key_id, sealed, issuer, connected_by)
                        SELECT gen_random_uuid(), :tenant, :server, 'agent:a' || n, 'k', 'x', 'https://issuer.example.com', 'key:1'
                        FROM generate_series(1, :accounts) n""")
                .bind("tenant", TENANT.value())
                .bind("server", server.value())
                .bind("accounts", accounts)
                .execute());
    }

    @Test
    void every_change_has_a_new_version_and_an_unchanged_listing_none() {
        try (TenantVersions versions = new TenantVersions(VersionTable.MCP_SERVERS, database.connections())) {
            add(TENANT, NAME, remote(), List.of(READ), FirstTools.AGREED);
            versions.changed(TENANT);
            long added = versions.current(TENANT);
            assertThat(added).isPositive();
            keep(READ);
            versions.changed(TENANT);
            assertThat(versions.current(TENANT)).isEqualTo(added);
            keep(READ_CHANGED);
            versions.changed(TENANT);
            assertThat(versions.current(TENANT)).isGreaterThan(added);
            assertThat(versions.current(OTHER)).isZero();
        }
    }

    private ServerWithTools add(
            TenantId tenant,
            ServerName name,
            McpServerSettings settings,
            @Nullable List<PinnedDefinition> found,
            FirstTools first) {
        return servers.add(tenant, name, Source.API, settings, found, first, "key:1")
                .orElseThrow();
    }

    private List<ToolPin> keep(PinnedDefinition... found) {
        long revision = servers.find(TENANT, NAME).orElseThrow().server().revision();
        return servers.keepListing(TENANT, NAME, revision, List.of(found))
                .orElseThrow()
                .tools();
    }

    private static State state(List<ToolPin> tools, String tool) {
        return tools.stream()
                .filter(pin -> pin.tool().equals(tool))
                .findFirst()
                .orElseThrow()
                .state();
    }

    private static McpServerSettings remote() {
        return remote(false);
    }

    private static McpServerSettings agreeingFirst() {
        return remote(true);
    }

    private static McpServerSettings remote(boolean agreeFirst) {
        return new McpServerSettings(
                URI.create("https://mcp.example.com/mcp"),
                List.of(),
                Map.of(),
                Map.of(),
                List.of(),
                false,
                null,
                null,
                McpServerSettings.DEFAULT_CAPABILITY,
                McpServerSettings.DEFAULT_TIMEOUT,
                Map.of(),
                false,
                true,
                agreeFirst);
    }

    private static PinnedDefinition definition(String name, String description) {
        ObjectNode listed = Json.MAPPER.createObjectNode().put("name", name).put("description", description);
        listed.putObject("inputSchema").put("type", "object");
        return PinnedDefinition.of(listed).orElseThrow();
    }
}
