package dev.toolgate.server.tenant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.BuiltInTools;
import dev.toolgate.runtime.RuntimeSettings;
import dev.toolgate.runtime.network.AddressPolicies;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import dev.toolgate.runtime.tools.file.WriteTracker;
import dev.toolgate.runtime.workspace.IdleLimits;
import dev.toolgate.runtime.workspace.WorkspacePool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

class TenantWorkspacesTest {
    private static final TenantId FIRST = new TenantId("default");
    private static final TenantId OTHER = new TenantId("other");

    @TempDir
    private Path home;

    private final AtomicInteger reached = new AtomicInteger();
    private WorkspacePool workspaces;
    private List<Tool<?>> tools;
    private HttpServer inside;

    @BeforeEach
    void open() throws Exception {
        Path workspace = home.resolve("workspace");
        WorkspaceAccount.createIfMissing(workspace);
        inside = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        inside.createContext("/", exchange -> {
            reached.incrementAndGet();
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        inside.start();
        use(IdleLimits.standard());
    }

    private void use(IdleLimits limits) throws IOException {
        RuntimeSettings settings =
                RuntimeSettings.of(home.resolve("workspace"), Files.createDirectories(home.resolve("state")));
        AddressPolicies addresses = AddressPolicies.publicAnd(
                Map.of(OTHER, List.of("127.0.0.1:" + inside.getAddress().getPort())));
        workspaces = new WorkspacePool(
                new TenantWorkspaces(FIRST, settings, home.resolve("tenants"), addresses)::find, limits);
        tools = BuiltInTools.all(workspaces, new WriteTracker(), addresses, settings);
    }

    @AfterEach
    void close() {
        workspaces.close();
        inside.stop(0);
    }

    @Test
    void a_file_of_one_tenant_is_not_visible_to_another() throws Exception {
        Map<String, Object> plan = Map.of("path", "plan.txt");
        call(FIRST, "file_write", Map.of("path", "plan.txt", "content", "first"));

        assertThat(call(FIRST, "file_read", plan).text()).contains("first");
        assertThatThrownBy(() -> call(OTHER, "file_read", plan)).isInstanceOf(ToolFailure.class);
        assertThatThrownBy(() -> call(
                        OTHER,
                        "file_read",
                        Map.of("path", home.resolve("workspace/plan.txt").toString())))
                .isInstanceOf(ToolFailure.class);

        call(OTHER, "file_write", Map.of("path", "plan.txt", "content", "other"));
        assertThat(call(FIRST, "file_read", plan).text()).contains("first").doesNotContain("other");
        assertThat(home.resolve("workspace/plan.txt")).hasContent("first");
    }

    @Test
    void an_internal_place_of_one_tenant_is_closed_to_another() throws Exception {
        Map<String, Object> request =
                Map.of("url", "http://127.0.0.1:" + inside.getAddress().getPort() + "/");

        assertThat(call(OTHER, "http_request", request).text()).startsWith("HTTP 204");
        for (TenantId tenant : List.of(FIRST, new TenantId("third"))) {
            assertThatThrownBy(() -> call(tenant, "http_request", request))
                    .isInstanceOf(ToolFailure.class)
                    .hasMessageContaining("loopback");
        }
        assertThat(reached).hasValue(1);
    }

    @Test
    void no_tenant_gets_the_workspace_of_another_in_a_race() throws Exception {
        // So few stay open that almost every call opens one while others are closing.
        race(new IdleLimits(2, Duration.ofMillis(5)));
        race(new IdleLimits(0, Duration.ofMinutes(1)));
    }

    private void race(IdleLimits limits) throws Exception {
        workspaces.close();
        use(limits);
        List<TenantId> tenants = IntStream.range(0, 24)
                .mapToObj(number -> number == 0 ? FIRST : new TenantId("tenant-" + number))
                .toList();
        try (ExecutorService threads = Executors.newFixedThreadPool(16)) {
            List<Callable<Void>> calls = IntStream.range(0, 1_200)
                    .<Callable<Void>>mapToObj(number -> () -> {
                        TenantId tenant = tenants.get(number % tenants.size());
                        WorkspaceId workspace = new WorkspaceId("w" + number % 3);
                        String path = "note-" + number + ".txt";
                        call(tenant, workspace, "file_write", Map.of("path", path, "content", tenant.value()));
                        assertThat(call(tenant, workspace, "file_read", Map.of("path", path))
                                        .text())
                                .isEqualTo(tenant.value());
                        return null;
                    })
                    .toList();
            for (Future<Void> call : threads.invokeAll(calls)) {
                call.get();
            }
        }
        for (int number = 0; number < tenants.size(); number++) {
            TenantId tenant = tenants.get(number);
            try (Stream<Path> files = Files.list(folder(tenant))) {
                assertThat(files.toList()).hasSize(1_200 / tenants.size()).allSatisfy(file -> assertThat(file)
                        .hasContent(tenant.value()));
            }
        }
    }

    private Path folder(TenantId tenant) {
        return tenant.equals(FIRST)
                ? home.resolve("workspace")
                : home.resolve("tenants").resolve(tenant.value()).resolve("workspace");
    }

    @Test
    void the_workspaces_of_a_tenant_share_its_folder() throws Exception {
        call(OTHER, new WorkspaceId("ws_1"), "file_write", Map.of("path", "plan.txt", "content", "shared"));

        assertThat(call(OTHER, "file_read", Map.of("path", "plan.txt")).text()).contains("shared");
        assertThat(folder(OTHER).resolve("plan.txt")).hasContent("shared");
    }

    @Test
    void commands_of_two_workspaces_of_a_tenant_run_at_once() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            String waiting = "touch began; until [ -e go ]; do sleep 0.05; done";
            Future<Output> first =
                    threads.submit(() -> call(OTHER, new WorkspaceId("ws_1"), "bash", Map.of("command", waiting)));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> Files.exists(folder(OTHER).resolve("began")));

            call(OTHER, new WorkspaceId("ws_2"), "bash", Map.of("command", "touch go"));

            assertThat(first.get().text()).startsWith("Exit code: 0");
        }
    }

    @Test
    void tenants_have_distinct_folders_inside_the_parent() {
        String[] ids = {"a", "A", "a.", "..", ".", "a/b", "a\\b", "a%2fb", "ä", "a b", "con"};

        assertThat(Stream.of(ids).map(id -> TenantWorkspaces.folderName(new TenantId(id))))
                .doesNotHaveDuplicates()
                .allMatch(name -> name.matches("[a-z0-9_%-]+"));
    }

    private Output call(TenantId tenant, String name, Map<String, Object> arguments) throws Exception {
        return call(tenant, WorkspaceId.DEFAULT, name, arguments);
    }

    private Output call(TenantId tenant, WorkspaceId workspace, String name, Map<String, Object> arguments)
            throws Exception {
        return call(
                tools.stream()
                        .filter(tool -> tool.spec().name().equals(name))
                        .findFirst()
                        .orElseThrow(),
                Caller.ofAgent(tenant, new AgentId("alice"), null, workspace),
                arguments);
    }

    private static <A> Output call(Tool<A> tool, Caller caller, Map<String, Object> arguments) throws Exception {
        ObjectNode json = Json.MAPPER.valueToTree(arguments);
        return tool.call(
                tool.spec().arguments().decode(json),
                new ToolContext(Call.of(caller, tool.spec().name(), json), Bounds.none()));
    }
}
