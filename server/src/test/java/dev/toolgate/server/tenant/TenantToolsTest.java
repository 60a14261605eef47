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
import dev.toolgate.runtime.RuntimeSettings;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

class TenantToolsTest {
    private static final TenantId FIRST = new TenantId("default");
    private static final TenantId OTHER = new TenantId("other");

    @TempDir
    private Path home;

    private final AtomicInteger reached = new AtomicInteger();
    private TenantTools tools;
    private HttpServer inside;

    @BeforeEach
    void open() throws Exception {
        Path workspace = home.resolve("workspace");
        WorkspaceAccount.make(workspace);
        inside = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        inside.createContext("/", exchange -> {
            reached.incrementAndGet();
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        inside.start();
        tools = TenantTools.open(
                FIRST,
                RuntimeSettings.of(workspace, Files.createDirectories(home.resolve("state"))),
                home.resolve("tenants"),
                Map.of(OTHER, List.of("127.0.0.1:" + inside.getAddress().getPort())));
    }

    @AfterEach
    void close() {
        tools.close();
        inside.stop(0);
    }

    @Test
    void a_file_of_one_tenant_is_not_there_for_another() throws Exception {
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
    void no_two_tenants_share_a_folder_and_none_leads_elsewhere() {
        String[] ids = {"a", "A", "a.", "..", ".", "a/b", "a\\b", "a%2fb", "ä", "a b", "con"};

        assertThat(Stream.of(ids).map(id -> TenantTools.folderName(new TenantId(id))))
                .doesNotHaveDuplicates()
                .allMatch(name -> name.matches("[a-z0-9_%-]+"));
    }

    private Output call(TenantId tenant, String name, Map<String, Object> arguments) throws Exception {
        return call(
                tools.tools().stream()
                        .filter(tool -> tool.spec().name().equals(name))
                        .findFirst()
                        .orElseThrow(),
                tenant,
                arguments);
    }

    private static <A> Output call(Tool<A> tool, TenantId tenant, Map<String, Object> arguments) throws Exception {
        ObjectNode json = Json.MAPPER.valueToTree(arguments);
        Caller caller = new Caller(tenant, new AgentId("alice"), null, new WorkspaceId("default"));
        return tool.call(
                tool.spec().arguments().decode(json),
                new ToolContext(Call.of(caller, tool.spec().name(), json), Bounds.none()));
    }
}
