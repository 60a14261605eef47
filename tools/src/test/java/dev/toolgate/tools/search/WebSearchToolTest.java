package dev.toolgate.tools.search;

import static dev.toolgate.tools.Calls.call;
import static dev.toolgate.tools.Calls.failure;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Danger;
import dev.toolgate.core.tool.Secrets;
import dev.toolgate.tools.Calls;
import dev.toolgate.tools.ScriptedService;
import dev.toolgate.tools.ScriptedService.Answer;
import dev.toolgate.tools.ScriptedService.Script;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WebSearchToolTest {
    private static final String KEY = "brave-key-of-acme";
    private static final Secrets ACME_HAS_A_KEY = (tenant, name) ->
            tenant.value().equals("acme") && name.equals("BRAVE_API_KEY") ? Optional.of(KEY) : Optional.empty();
    private static final String SEARXNG_RESULTS = """
            {'query':'test','results':[
              {'title':'First <b>title</b>','url':'https://one.example/','content':'About &amp; around','score':1.5},
              {'title':'Second','url':'https://two.example/a?b=c'},
              {'title':'Odd one','url':'javascript:alert(1)','content':'no'},
              {'title':'Third','url':'http://three.example/','content':'3'}]}""";
    private static final String BRAVE_RESULTS = """
            {'web':{'results':[
              {'title':'Brave one','url':'https://brave.example/1','description':'from <strong>Brave</strong>'},
              {'title':'Brave two','url':'https://brave.example/2','description':'more'}]}}""";
    private static final String NOTHING = "{'results':[]}";

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
    }

    @Test
    void ac_18_results_of_searxng_are_a_numbered_list() throws Exception {
        ScriptedService searxng = service(_ -> Answer.json(SEARXNG_RESULTS));
        ScriptedService brave = service(_ -> Answer.json(BRAVE_RESULTS));

        Output output = call(tool(searxng.url(), brave.url()), "{'query':'test & more'}");

        assertThat(output.text()).isEqualTo("""
                1. First title
                   https://one.example/
                   About & around

                2. Second
                   https://two.example/a?b=c

                3. Third
                   http://three.example/
                   3""");
        assertThat(output.metadata()).containsEntry("provider", "SearXNG").containsEntry("resultCount", 3);
        assertThat(Calls.json(output)).contains("\"score\":1.5").doesNotContain("\"score\":null");
        assertThat(output.verdict()).isEqualTo(Output.Verdict.OK);
        assertThat(searxng.requests().getFirst().line())
                .isEqualTo("GET /search?q=test+%26+more&format=json&engines=bing%2Cduckduckgo%2Cbrave");
        assertThat(brave.requests()).isEmpty();
    }

    @Test
    void ac_19_brave_answers_when_searxng_is_down() throws Exception {
        ScriptedService gone = ScriptedService.start(_ -> Answer.json(NOTHING));
        gone.close();
        ScriptedService brave = service(_ -> Answer.json(BRAVE_RESULTS));

        Output output = call(tool(gone.url(), brave.url()), "{'query':'test'}");

        assertThat(output.text()).startsWith("1. Brave one\n   https://brave.example/1\n   from Brave");
        assertThat(output.metadata()).containsEntry("provider", "Brave").containsEntry("resultCount", 2);
        assertThat(brave.requests().getFirst().line()).isEqualTo("GET /res/v1/web/search?q=test&count=5");
        assertThat(brave.requests().getFirst().header("X-Subscription-Token")).isEqualTo(KEY);
    }

    @Test
    void ac_20_when_both_fail_the_call_fails() throws Exception {
        ScriptedService searxng = service(_ -> Answer.status(500, "{}"));
        ScriptedService brave = service(_ -> Answer.status(401, "{'error':'" + KEY + "'}"));

        Failure failure = failure(tool(searxng.url(), brave.url()), "{'query':'test'}");

        assertThat(failure.code()).isEqualTo(ErrorCode.TOOL_EXECUTION_FAILED);
        assertThat(failure.message()).contains("SearXNG answered with status 500", "Brave answered with status 401");
        assertThat(failure.toString()).doesNotContain(KEY);
    }

    @Test
    void without_configuration_it_names_what_to_set() throws Exception {
        ScriptedService gone = ScriptedService.start(_ -> Answer.json(NOTHING));
        gone.close();
        WebSearchTool tool = tool(gone.url(), gone.url(), Secrets.NONE, Duration.ofSeconds(5));

        assertThat(failure(tool, "{'query':'test'}").message())
                .contains("SearXNG could not be connected to")
                .contains("Brave has no key")
                .contains("SEARXNG_URL")
                .contains("BRAVE_API_KEY");
    }

    @Test
    void another_tenants_key_is_not_used() throws Exception {
        ScriptedService searxng = service(_ -> Answer.status(503, ""));
        ScriptedService brave = service(_ -> Answer.json(BRAVE_RESULTS));

        Failure failure = failure(
                tool(searxng.url(), brave.url()), "{'query':'test'}", Calls.caller("other", "alice"), Bounds.none());

        assertThat(failure.message()).contains("Brave has no key");
        assertThat(brave.requests()).isEmpty();
    }

    @Test
    void brave_is_used_if_searxng_has_no_results() throws Exception {
        ScriptedService searxng = service(_ -> Answer.json(NOTHING));
        ScriptedService brave = service(_ -> Answer.json(BRAVE_RESULTS));

        assertThat(call(tool(searxng.url(), brave.url()), "{'query':'x'}").metadata())
                .containsEntry("provider", "Brave");
    }

    @Test
    void no_results_is_not_a_failure() throws Exception {
        ScriptedService searxng = service(_ -> Answer.json(NOTHING));
        ScriptedService brave = service(_ -> Answer.status(429, ""));

        Output output = call(tool(searxng.url(), brave.url()), "{'query':'rare'}");

        assertThat(output.text()).isEqualTo("No results for: rare");
        assertThat(output.metadata()).containsEntry("resultCount", 0);
    }

    @Test
    void max_results_is_respected() throws Exception {
        ScriptedService searxng = service(_ -> Answer.json(SEARXNG_RESULTS));

        assertThat(call(tool(searxng.url(), searxng.url()), "{'query':'x','max_results':1}")
                        .metadata())
                .containsEntry("resultCount", 1);
    }

    @Test
    void a_malformed_response_counts_as_failed() throws Exception {
        for (Answer answer : List.of(
                Answer.html("<html>"),
                Answer.status(302, "").with("Location", "http://127.0.0.1:1/"),
                new Answer(200, "[" + " ".repeat(5 << 20) + "]", Map.of()))) {
            ScriptedService odd = service(_ -> answer);
            ScriptedService brave = service(_ -> Answer.json(BRAVE_RESULTS));
            assertThat(call(tool(odd.url(), brave.url()), "{'query':'x'}").metadata())
                    .containsEntry("provider", "Brave");
        }
    }

    @Test
    void a_provider_that_times_out_is_skipped() throws Exception {
        ScriptedService silent = ScriptedService.silent();
        open.add(silent);
        ScriptedService brave = service(_ -> Answer.json(BRAVE_RESULTS));

        WebSearchTool tool = tool(silent.url(), brave.url(), ACME_HAS_A_KEY, Duration.ofMillis(200));
        assertThat(call(tool, "{'query':'x'}").metadata()).containsEntry("provider", "Brave");
    }

    @Test
    void an_interrupt_ends_the_search() throws Exception {
        ScriptedService silent = ScriptedService.silent();
        open.add(silent);
        Calls.Interruptible running = Calls.start(tool(silent.url(), silent.url()), "{'query':'x'}");
        await().until(() -> !silent.requests().isEmpty());

        running.thread().interrupt();

        assertThat(running.thrown().get(10, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void a_blank_query_is_refused() throws Exception {
        ScriptedService searxng = service(_ -> Answer.json(SEARXNG_RESULTS));
        assertThat(failure(tool(searxng.url(), searxng.url()), "{'query':'  '}").code())
                .isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(searxng.requests()).isEmpty();
    }

    @Test
    void it_is_a_safe_tool_that_only_reads() throws Exception {
        WebSearchTool tool = tool(URI.create("http://127.0.0.1:1"), URI.create("http://127.0.0.1:1"));
        assertThat(tool.spec().capability()).isEqualTo("Search.Web");
        assertThat(tool.spec().category()).isEqualTo(Category.SEARCH);
        assertThat(tool.spec().danger()).isEqualTo(Danger.SAFE);
        assertThat(tool.spec()
                        .arguments()
                        .schema()
                        .at("/properties/max_results/default")
                        .asInt())
                .isEqualTo(5);
    }

    @Test
    void providers_are_used_in_the_configured_order() throws Exception {
        ScriptedService searxng = service(_ -> Answer.json(SEARXNG_RESULTS));
        ScriptedService brave = service(_ -> Answer.json(BRAVE_RESULTS));
        Duration timeout = Duration.ofSeconds(10);

        WebSearchTool braveFirst = tool(
                List.of(SearchSettings.Source.BRAVE, SearchSettings.Source.SEARXNG),
                searxng.url(),
                brave.url(),
                ACME_HAS_A_KEY,
                timeout);
        assertThat(call(braveFirst, "{'query':'test'}").metadata()).containsEntry("provider", "Brave");
        assertThat(searxng.requests()).isEmpty();
        WebSearchTool searxngOnly =
                tool(List.of(SearchSettings.Source.SEARXNG), searxng.url(), brave.url(), ACME_HAS_A_KEY, timeout);
        assertThat(call(searxngOnly, "{'query':'test'}").metadata()).containsEntry("provider", "SearXNG");
        assertThat(brave.requests()).hasSize(1);
    }

    private ScriptedService service(Script script) throws IOException {
        ScriptedService service = ScriptedService.start(script);
        open.add(service);
        return service;
    }

    private WebSearchTool tool(URI searxng, URI brave) {
        return tool(searxng, brave, ACME_HAS_A_KEY, Duration.ofSeconds(10));
    }

    private WebSearchTool tool(URI searxng, URI brave, Secrets secrets, Duration timeout) {
        return tool(
                List.of(SearchSettings.Source.SEARXNG, SearchSettings.Source.BRAVE), searxng, brave, secrets, timeout);
    }

    private WebSearchTool tool(
            List<SearchSettings.Source> order, URI searxng, URI brave, Secrets secrets, Duration timeout) {
        WebSearchTool tool = WebSearchTool.of(
                new SearchSettings(order, searxng, List.of("bing", "duckduckgo", "brave"), brave, timeout), secrets);
        open.add(tool);
        return tool;
    }
}
