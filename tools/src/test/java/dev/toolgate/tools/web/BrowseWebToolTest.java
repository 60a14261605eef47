package dev.toolgate.tools.web;

import static dev.toolgate.tools.Calls.call;
import static dev.toolgate.tools.Calls.failure;
import static dev.toolgate.tools.Calls.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Danger;
import dev.toolgate.runtime.network.GuardedFetch;
import dev.toolgate.tools.Calls;
import dev.toolgate.tools.ScriptedService;
import dev.toolgate.tools.ScriptedService.Answer;
import dev.toolgate.tools.ScriptedService.Script;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BrowseWebToolTest {
    private static final String PAGE = "<html><head><title>Opening hours</title></head><body><nav>Home</nav><main><p>"
            + "The museum is open from ten to five. On Mondays it is closed. Children pay nothing for their tickets."
            + " There is a café in the garden, and the garden has many roses of every colour. Dogs stay outside."
            + "</p></main></body></html>";

    private final List<AutoCloseable> open = new ArrayList<>();
    private final BrowseWebTool tool = new BrowseWebTool(
            new GuardedFetch(SmallInternet.POLICY, SmallInternet.RESOLVER),
            Renderer.NONE,
            new ExtractiveSummariser(120));

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
    }

    @Test
    void a_page_is_summarised_for_the_task() throws Exception {
        ScriptedService site = site(_ -> Answer.html(PAGE));

        Output output =
                call(tool, arguments("http://site.test:" + site.port() + "/", "What do tickets for children cost?"));

        assertThat(json(output)).startsWith("{\"summary\":\"Opening hours").endsWith("\"}");
        assertThat(output.text())
                .contains("Children pay nothing")
                .doesNotContain("roses")
                .doesNotContain("Home");
        assertThat(output.metadata())
                .containsEntry("title", "Opening hours")
                .containsEntry("rendered", false)
                .containsEntry("summary_by", "extract");
    }

    @Test
    void plain_text_is_read_too() throws Exception {
        ScriptedService site =
                site(_ -> new Answer(200, "One fact. Another fact.", Map.of("Content-Type", "text/plain")));
        assertThat(call(tool, arguments(site.url().toString(), "facts")).text()).isEqualTo("One fact. Another fact.");
    }

    @Test
    void a_configured_model_is_used_instead() throws Exception {
        ScriptedService site = site(_ -> Answer.html(PAGE));
        BrowseWebTool withModel = new BrowseWebTool(
                new GuardedFetch(SmallInternet.POLICY, SmallInternet.RESOLVER),
                Renderer.NONE,
                (page, task, _) -> new Summary("model says: " + page.title() + " / " + task, "some/model", null));

        Output output = call(withModel, arguments(site.url().toString(), "why"));

        assertThat(json(output)).isEqualTo("{\"summary\":\"model says: Opening hours / why\"}");
        assertThat(output.metadata()).containsEntry("summary_by", "some/model").doesNotContainKey("summary_fallback");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://127.0.0.1:PORT/",
                "http://inside.test:PORT/",
                "http://localhost:PORT/",
                "http://2130706433:PORT/",
                "http://[::ffff:127.0.0.1]:PORT/"
            })
    void internal_addresses_are_never_reached(String url) throws Exception {
        try (ScriptedService victim = ScriptedService.start(_ -> Answer.html(PAGE))) {
            String aimed = url.replace("PORT", String.valueOf(victim.port()));
            ScriptedService redirecting = site(_ -> Answer.status(302, "").with("Location", aimed));

            assertThat(failure(tool, arguments(aimed, "x")).code())
                    .isIn(ErrorCode.PERMISSION_DENIED, ErrorCode.INVALID_REQUEST);
            assertThat(failure(tool, arguments(redirecting.url().toString(), "x"))
                            .code())
                    .isIn(ErrorCode.PERMISSION_DENIED, ErrorCode.TOOL_EXECUTION_FAILED);
            assertThat(victim.requests()).isEmpty();
        }
    }

    @Test
    void the_allowed_domains_of_the_session_are_enforced() throws Exception {
        ScriptedService site = site(_ -> Answer.html(PAGE));
        Bounds onlyOther = new Bounds(null, null, null, null, List.of(), List.of("other.test"), null, List.of());

        Failure failure =
                failure(tool, arguments("http://site.test:" + site.port() + "/", "x"), Calls.ALICE, onlyOther);

        assertThat(failure.code()).isEqualTo(ErrorCode.CAPABILITY_DENIED);
        assertThat(site.requests()).isEmpty();
        assertThat(call(tool, arguments("http://other.test:" + site.port() + "/", "x"), Calls.ALICE, onlyOther)
                        .text())
                .isNotEmpty();
    }

    @Test
    void an_unreadable_page_is_reported() throws Exception {
        ScriptedService missing = site(_ -> Answer.status(404, "{}"));
        ScriptedService binary = site(_ -> new Answer(200, "%PDF\0\0", Map.of("Content-Type", "application/pdf")));

        assertThat(failure(tool, arguments(missing.url().toString(), "x")).message())
                .contains("status 404");
        assertThat(failure(tool, arguments(binary.url().toString(), "x")).message())
                .contains("application/pdf");
    }

    @Test
    void an_interrupt_ends_the_call() throws Exception {
        ScriptedService silent = site(_ -> {
            new CountDownLatch(1).await();
            return Answer.html("");
        });
        Calls.Interruptible running = Calls.start(tool, arguments(silent.url().toString(), "x"));
        await().until(() -> !silent.requests().isEmpty());

        running.thread().interrupt();

        assertThat(running.thrown().get(10, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void it_is_a_safe_tool_with_network_capability() {
        assertThat(tool.spec().capability()).isEqualTo("Network.Http");
        assertThat(tool.spec().category()).isEqualTo(Category.SEARCH);
        assertThat(tool.spec().danger()).isEqualTo(Danger.SAFE);
    }

    private ScriptedService site(Script script) throws IOException {
        ScriptedService site = ScriptedService.on(SmallInternet.PUBLIC, script);
        open.add(site);
        return site;
    }

    private static String arguments(String url, String task) {
        return "{'url':'" + url + "','task_description':'" + task + "'}";
    }
}
