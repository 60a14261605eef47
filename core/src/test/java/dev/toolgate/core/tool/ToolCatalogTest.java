package dev.toolgate.core.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.ToolPermission;
import dev.toolgate.core.call.ToolScope;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ToolCatalogTest {
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

        assertThat(names(catalog.within(null))).containsExactly("bash", "file_read", "file_write", "web_search");
    }

    @Test
    void ac_9_a_scope_lists_only_what_it_allows() {
        fourCoreTools();
        ToolScope scope = new ToolScope(Map.of(
                "ReadFile", ToolPermission.ALLOWED,
                "web_search", ToolPermission.ALLOWED,
                "bash", ToolPermission.REFUSED));

        assertThat(names(catalog.within(scope))).containsExactly("file_read", "web_search");
    }

    @Test
    void ac_10_an_empty_scope_lists_only_the_safe_defaults() {
        fourCoreTools();

        assertThat(names(catalog.within(new ToolScope(Map.of())))).containsExactly("file_read", "web_search");
    }

    @Test
    void a_tool_is_found_under_every_name() {
        fourCoreTools();

        assertThat(catalog.find("ReadFile"))
                .isEqualTo(catalog.find("file_read"))
                .isPresent();
        assertThat(catalog.find("readfile")).isEmpty();
    }

    @Test
    void a_name_that_is_taken_is_refused_and_nothing_changes() {
        fourCoreTools();

        assertThatThrownBy(() -> catalog.add(tool("new_tool", "ReadFile")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'ReadFile' is already registered");
        assertThat(catalog.find("new_tool")).isEmpty();
        assertThat(catalog.all()).hasSize(4);
    }

    @Test
    void a_removed_tool_is_gone_under_all_its_names() {
        fourCoreTools();
        catalog.remove("ReadFile");

        assertThat(catalog.find("file_read")).isEmpty();
        assertThat(catalog.find("ReadFile")).isEmpty();
    }

    @Test
    void registering_while_others_look_up_loses_nothing() throws Exception {
        CountDownLatch go = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> work = IntStream.range(0, 200)
                    .<Future<?>>mapToObj(number -> threads.submit(() -> {
                        go.await();
                        catalog.add(tool("tool_" + number));
                        assertThat(catalog.find("tool_" + number)).isPresent();
                        assertThat(catalog.all()).isNotEmpty();
                        return null;
                    }))
                    .toList();
            go.countDown();
            for (Future<?> one : work) {
                one.get();
            }
        }
        assertThat(catalog.all()).hasSize(200);
    }

    private static List<String> names(List<Tool<?>> tools) {
        return tools.stream().map(tool -> tool.spec().name()).toList();
    }
}
