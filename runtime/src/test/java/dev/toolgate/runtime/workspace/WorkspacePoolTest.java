package dev.toolgate.runtime.workspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.call.WorkspaceKey;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.BuiltInTools;
import dev.toolgate.runtime.RuntimeSettings;
import dev.toolgate.runtime.network.AddressPolicies;
import dev.toolgate.runtime.network.AddressPolicy;
import dev.toolgate.runtime.sandbox.command.SandboxMode;
import dev.toolgate.runtime.sandbox.command.SandboxSettings;
import dev.toolgate.runtime.sandbox.command.WorkspaceSharing;
import dev.toolgate.runtime.sandbox.files.Workspace;
import dev.toolgate.runtime.tools.file.SessionChanges;
import dev.toolgate.runtime.tools.file.WriteTracker;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** The pool with the real sandbox and built-in tools. */
@Timeout(180)
class WorkspacePoolTest {
    private static final IdleLimits NONE_IDLE = new IdleLimits(0, Duration.ofMinutes(10));
    private static final WorkspaceKey ONE = key("acme", "one");
    private static final WorkspaceKey TWO = key("acme", "two");
    private static final SessionId SESSION = new SessionId("s1");
    private static final int TOLERATED = 3;

    @TempDir
    private Path temporary;

    private final WriteTracker writes = new WriteTracker();
    private Path base;
    private WorkspacePool pool;
    private List<Tool<?>> tools;

    @BeforeEach
    void open() throws IOException {
        base = temporary.toRealPath();
        Files.setPosixFilePermissions(base, PosixFilePermissions.fromString("rwxr-xr-x"));
        use(IdleLimits.standard());
    }

    @AfterEach
    void close() {
        pool.close();
        Awaitility.await().until(() -> processesIn(base).isEmpty());
    }

    private void use(IdleLimits limits) {
        if (pool != null) {
            pool.close();
        }
        pool = new WorkspacePool(this::settings, limits);
        tools = BuiltInTools.all(
                pool,
                writes,
                AddressPolicies.forAllTenants(AddressPolicy.publicOnly()),
                RuntimeSettings.of(base, base.resolve("state")));
    }

    /** Each workspace has its own folder, and its commands run one at a time. */
    private WorkspaceSettings settings(WorkspaceKey key) {
        return new WorkspaceSettings(
                folder(key),
                null,
                base.resolve("state").resolve(key.tenant() + "-" + key.id()),
                SandboxMode.CONFINED,
                SandboxSettings.standard().with(WorkspaceSharing.ONE_AT_A_TIME),
                AddressPolicy.publicOnly());
    }

    private Path folder(WorkspaceKey key) {
        return base.resolve(key.tenant() + "-" + key.id());
    }

    @Test
    void two_workspaces_of_one_tenant_run_commands_at_once() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Output> first = threads.submit(() -> bash(ONE, "touch began; until [ -e go ]; do sleep 0.05; done"));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> Files.exists(folder(ONE).resolve("began")));

            assertThat(bash(TWO, "echo second").text()).contains("second");

            assertThat(first.isDone()).isFalse();
            write(ONE, "go", "now");
            assertThat(first.get().text()).startsWith("Exit code: 0");
        }
    }

    @Test
    void an_idle_workspace_is_closed_and_opened_again() throws Exception {
        use(new IdleLimits(8, Duration.ofSeconds(1)));
        bash(ONE, "echo kept > file.txt");
        Awaitility.await().until(() -> !processesIn(folder(ONE)).isEmpty()); // prepared sandboxes

        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> pool.size() == 0);
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> processesIn(folder(ONE))
                .isEmpty());

        assertThat(bash(ONE, "cat file.txt").text()).contains("kept");
        assertThat(pool.size()).isEqualTo(1);
    }

    @Test
    void opening_and_closing_leaks_no_descriptor_thread_or_process() throws Exception {
        use(NONE_IDLE);
        openAndClose();
        int descriptors = count("/proc/self/fd");
        int threads = count("/proc/self/task");

        for (int round = 0; round < 5; round++) {
            openAndClose();
        }

        assertThat(count("/proc/self/fd")).isLessThanOrEqualTo(descriptors + TOLERATED);
        assertThat(count("/proc/self/task")).isLessThanOrEqualTo(threads + TOLERATED);
    }

    private void openAndClose() throws Exception {
        assertThat(bash(ONE, "echo hi").text()).contains("hi");
        Awaitility.await()
                .atMost(Duration.ofSeconds(30))
                .until(() -> pool.size() == 0 && processesIn(base).isEmpty());
    }

    @Test
    void a_workspace_in_use_is_never_closed() throws Exception {
        use(new IdleLimits(0, Duration.ofMillis(1)));
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Output> inFlight =
                    threads.submit(() -> bash(ONE, "touch began; until [ -e go ]; do sleep 0.05; done; echo whole"));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> Files.exists(folder(ONE).resolve("began")));
            for (int other = 0; other < 50; other++) {
                write(key("acme", "other" + other), "a.txt", "a");
                write(
                        ONE,
                        "beside.txt",
                        "written beside the command"); // its lease ends while the command still holds one
            }
            Awaitility.await().until(() -> pool.size() == 1);
            assertThat(inFlight.isDone()).isFalse();

            write(ONE, "go", "now");

            assertThat(inFlight.get().text()).contains("Exit code: 0").contains("whole");
        }
        Awaitility.await().until(() -> pool.size() == 0);
    }

    @Test
    void the_number_of_idle_workspaces_is_limited() throws Exception {
        use(new IdleLimits(3, Duration.ofMinutes(10)));
        Set<Workspace> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < 10; i++) {
            seen.add(files(key("acme", "w" + i)));
        }
        Awaitility.await().until(() -> pool.size() == 3);

        for (int i = 7; i < 10; i++) {
            assertThat(seen.add(files(key("acme", "w" + i))))
                    .as("w%d was opened again", i)
                    .isFalse();
        }
        assertThat(seen.add(files(key("acme", "w0")))).isTrue();
    }

    @Test
    void concurrent_calls_share_one_workspace() throws Exception {
        List<Callable<Workspace>> calls = Collections.nCopies(50, () -> files(ONE));
        Set<Workspace> found = Collections.newSetFromMap(new IdentityHashMap<>());
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Workspace> one : threads.invokeAll(calls)) {
                found.add(one.get());
            }
        }
        assertThat(found).hasSize(1);
        assertThat(pool.size()).isEqualTo(1);
    }

    @Test
    void tenants_do_not_share_a_workspace_even_in_one_folder() throws Exception {
        try (WorkspacePool sameFolder = new WorkspacePool(_ -> settings(ONE), IdleLimits.standard());
                WorkspaceLease first = sameFolder.lease(key("acme", "x"));
                WorkspaceLease sameTenant = sameFolder.lease(key("acme", "y"));
                WorkspaceLease other = sameFolder.lease(key("umbrella", "x"))) {
            assertThat(sameTenant.commands()).isSameAs(first.commands());
            assertThat(other.commands()).isNotSameAs(first.commands());
        }
    }

    @Test
    void a_workspace_that_could_not_be_opened_is_tried_again() throws Exception {
        Files.writeString(folder(ONE), "a file where the folder should be");
        assertThatThrownBy(() -> pool.lease(ONE))
                .isInstanceOf(ToolFailure.class)
                .hasMessage("The workspace of this tenant cannot be opened; the server's log says why");
        assertThatThrownBy(() -> pool.prepare(ONE)).isInstanceOf(IOException.class);
        assertThat(pool.pathResolver().resolve(ONE, "a.txt")).isEmpty();

        Files.delete(folder(ONE));

        write(ONE, "a.txt", "a");
        assertThat(pool.pathResolver().resolve(ONE, "a.txt")).isNotEmpty();
    }

    @Test
    void changes_are_kept_after_the_workspace_was_closed() throws Exception {
        use(NONE_IDLE);
        write(ONE, "plan.txt", "first\n");
        Awaitility.await().until(() -> pool.size() == 0);

        assertThat(writes.changes(ONE.tenant(), SESSION).files())
                .extracting(SessionChanges.ChangedFile::path)
                .containsExactly("plan.txt");
        assertThat(writes.patch(ONE.tenant(), SESSION)).contains("+first");
    }

    @Test
    void a_closed_pool_ends_running_commands_and_opens_nothing() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Output> running = threads.submit(() -> bash(ONE, "touch began; sleep 50; touch over"));
            Awaitility.await()
                    .atMost(Duration.ofSeconds(30))
                    .until(() -> Files.exists(folder(ONE).resolve("began")));

            pool.close();

            Awaitility.await().atMost(Duration.ofSeconds(30)).until(running::isDone);
        }
        assertThat(folder(ONE).resolve("over")).doesNotExist();
        assertThatThrownBy(() -> bash(ONE, "echo again")).isInstanceOf(ToolFailure.class);
        assertThatThrownBy(() -> write(TWO, "a.txt", "a")).isInstanceOf(ToolFailure.class);
        assertThat(folder(TWO)).doesNotExist();
    }

    private Workspace files(WorkspaceKey key) throws ToolFailure {
        try (WorkspaceLease workspace = pool.lease(key)) {
            return workspace.files();
        }
    }

    private Output bash(WorkspaceKey key, String command) throws Exception {
        return call(key, "bash", Map.of("command", command));
    }

    private void write(WorkspaceKey key, String path, String content) throws Exception {
        call(key, "file_write", Map.of("path", path, "content", content));
    }

    private Output call(WorkspaceKey key, String name, Map<String, Object> arguments) throws Exception {
        return call(
                tools.stream()
                        .filter(tool -> tool.spec().name().equals(name))
                        .findFirst()
                        .orElseThrow(),
                key,
                arguments);
    }

    private static <A> Output call(Tool<A> tool, WorkspaceKey key, Map<String, Object> arguments) throws Exception {
        ObjectNode json = Json.MAPPER.valueToTree(arguments);
        Caller caller = Caller.ofAgent(key.tenant(), new AgentId("alice"), SESSION, key.id());
        return tool.call(
                tool.spec().arguments().decode(json),
                new ToolContext(Call.of(caller, tool.spec().name(), json), Bounds.none()));
    }

    private static WorkspaceKey key(String tenant, String workspace) {
        return new WorkspaceKey(new TenantId(tenant), new WorkspaceId(workspace));
    }

    private static int count(String folder) throws IOException {
        try (Stream<Path> entries = Files.list(Path.of(folder))) {
            return (int) entries.count();
        }
    }

    /** The processes whose command line contains this folder, which includes every sandbox of it. */
    private static List<String> processesIn(Path folder) throws IOException {
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                try {
                    String line = Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
                    if (line.contains(folder.toString())) {
                        found.add(process.getFileName().toString());
                    }
                } catch (IOException gone) {
                    // The process has ended.
                }
            }
        }
        return found;
    }
}
