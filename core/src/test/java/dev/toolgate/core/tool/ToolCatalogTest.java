package dev.toolgate.core.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.ToolPermission;
import dev.toolgate.core.call.ToolScope;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ToolCatalogTest {
    private static final TenantId TENANT = new TenantId("acme");
    private static final TenantId OTHER = new TenantId("umbrella");

    record Nothing() {}

    private record Named(ToolSpec<Nothing> spec) implements Tool<Nothing> {
        @Override
        public Output call(Nothing arguments, ToolContext context) {
            return Output.text("");
        }
    }

    private final ToolCatalog catalog = new ToolCatalog();

    private static Tool<?> tool(String name, String... aliases) {
        return new Named(ToolSpec.of(name, Nothing.class, Category.FILE, "File.Read", "Does nothing")
                .alsoKnownAs(List.of(aliases).stream().map(Alias::runtime).toArray(Alias[]::new)));
    }

    private void fourCoreTools() {
        catalog.add(tool("file_read", "ReadFile"));
        catalog.add(tool("file_write"));
        catalog.add(tool("bash"));
        catalog.add(tool("web_search"));
    }

    @Test
    void ac_8_no_scope_lists_every_tool() {
        fourCoreTools();

        assertThat(names(catalog.within(TENANT, null)))
                .containsExactly("bash", "file_read", "file_write", "web_search");
    }

    @Test
    void external_tools_are_found_and_not_listed_where_they_cannot_run() {
        fourCoreTools();
        catalog.replace(TENANT, "external", List.of(ExternalTool.unregistered("deploy")));

        assertThat(names(catalog.all(TENANT))).contains("deploy");
        assertThat(catalog.find(TENANT, "deploy")).isPresent();
        assertThat(names(catalog.runHere(TENANT))).containsExactly("bash", "file_read", "file_write", "web_search");
        assertThat(catalog.runHere(TENANT)).isSameAs(catalog.runHere(TENANT));
        assertThat(names(catalog.within(TENANT, null))).doesNotContain("deploy");
        assertThat(catalog.find(OTHER, "deploy")).isEmpty();
        assertThat(catalog.isShared("deploy")).isFalse();
        assertThat(catalog.isShared("file_read")).isTrue();
    }

    @Test
    void ac_9_a_scope_lists_only_what_it_allows() {
        fourCoreTools();
        ToolScope scope = new ToolScope(Map.of(
                "ReadFile", ToolPermission.ALLOWED,
                "web_search", ToolPermission.ALLOWED,
                "bash", ToolPermission.REFUSED));

        assertThat(names(catalog.within(TENANT, scope))).containsExactly("file_read", "web_search");
    }

    @Test
    void ac_10_an_empty_scope_lists_only_the_safe_defaults() {
        fourCoreTools();

        assertThat(names(catalog.within(TENANT, new ToolScope(Map.of())))).containsExactly("file_read", "web_search");
    }

    @Test
    void a_tool_is_found_under_every_name() {
        fourCoreTools();

        assertThat(catalog.find(TENANT, "ReadFile"))
                .isEqualTo(catalog.find(TENANT, "file_read"))
                .isPresent();
        assertThat(catalog.find(TENANT, "readfile")).isEmpty();
    }

    @Test
    void a_name_that_is_taken_is_refused_and_nothing_changes() {
        fourCoreTools();

        assertThatThrownBy(() -> catalog.add(tool("new_tool", "ReadFile")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'ReadFile' is already registered");
        assertThat(catalog.find(TENANT, "new_tool")).isEmpty();
        assertThat(catalog.all(TENANT)).hasSize(4);
    }

    @Test
    void a_removed_tool_is_gone_under_all_its_names() {
        fourCoreTools();
        catalog.remove("ReadFile");

        assertThat(catalog.find(TENANT, "file_read")).isEmpty();
        assertThat(catalog.find(TENANT, "ReadFile")).isEmpty();
    }

    @Test
    void tools_offered_to_a_tenant_are_unknown_to_others() {
        fourCoreTools();
        catalog.replace(TENANT, "tickets", List.of(tool("tickets/open"), tool("tickets/close")));

        assertThat(names(catalog.all(TENANT)))
                .containsExactly("bash", "file_read", "file_write", "tickets/close", "tickets/open", "web_search");
        assertThat(catalog.find(TENANT, "tickets/open")).isPresent();
        assertThat(catalog.find(OTHER, "tickets/open")).isEmpty();
        assertThat(catalog.all(OTHER)).hasSize(4);
    }

    @Test
    void new_tools_of_a_source_replace_its_earlier_ones() {
        fourCoreTools();
        catalog.replace(TENANT, "tickets", List.of(tool("tickets/open")));
        catalog.replace(TENANT, "wiki", List.of(tool("wiki/read")));
        catalog.replace(OTHER, "tickets", List.of(tool("tickets/open")));

        catalog.replace(TENANT, "tickets", List.of(tool("tickets/close")));
        catalog.add(tool("memory"));
        assertThat(names(catalog.all(TENANT)))
                .contains("tickets/close", "wiki/read", "memory")
                .doesNotContain("tickets/open");
        assertThat(names(catalog.all(OTHER))).contains("tickets/open", "memory");

        catalog.replace(TENANT, "tickets", List.of());
        catalog.replace(TENANT, "wiki", List.of());
        assertThat(names(catalog.all(TENANT)))
                .containsExactly("bash", "file_read", "file_write", "memory", "web_search");
    }

    @Test
    void a_source_cannot_take_a_name_of_another() {
        fourCoreTools();
        catalog.replace(TENANT, "tickets", List.of(tool("tickets/open")));

        assertThatThrownBy(() -> catalog.replace(TENANT, "tickets", List.of(tool("tickets/close"), tool("ReadFile"))))
                .hasMessageContaining("'ReadFile' is already registered");
        assertThatThrownBy(() -> catalog.add(tool("tickets/open"))).hasMessageContaining("already registered");
        assertThat(names(catalog.all(TENANT))).contains("tickets/open").doesNotContain("tickets/close");
        assertThat(catalog.find(OTHER, "tickets/open")).isEmpty();
    }

    @Test
    void listeners_are_notified_after_a_change_is_visible() {
        List<Integer> seen = new ArrayList<>();
        catalog.onChange(() -> seen.add(catalog.all(TENANT).size()));

        catalog.add(tool("bash"));
        catalog.replace(TENANT, "wiki", List.of(tool("wiki/read")));
        catalog.remove("bash");

        assertThat(seen).containsExactly(1, 2, 1);
    }

    @Test
    void concurrent_registration_and_lookup_lose_nothing() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> work = IntStream.range(0, 200)
                    .<Future<?>>mapToObj(number -> threads.submit(() -> {
                        go.await();
                        catalog.add(tool("tool_" + number));
                        assertThat(catalog.find(TENANT, "tool_" + number)).isPresent();
                        assertThat(catalog.all(TENANT)).isNotEmpty();
                        return null;
                    }))
                    .toList();
            go.countDown();
            for (Future<?> one : work) {
                one.get();
            }
        }
        assertThat(catalog.all(TENANT)).hasSize(200);
    }

    private static List<String> names(List<Tool<?>> tools) {
        return tools.stream().map(tool -> tool.spec().name()).toList();
    }
}
