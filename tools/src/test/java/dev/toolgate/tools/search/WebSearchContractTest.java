package dev.toolgate.tools.search;

import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.Secrets;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContract;
import dev.toolgate.tools.Calls;
import dev.toolgate.tools.ScriptedService;
import dev.toolgate.tools.ScriptedService.Answer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class WebSearchContractTest extends ToolContract {
    private static final String KEY = "planted-brave-key-4711";
    private static final Secrets WITH_KEY = (_, _) -> Optional.of(KEY);

    private final List<AutoCloseable> open = new ArrayList<>();
    private ScriptedService engine;

    @BeforeEach
    void start() throws IOException {
        engine = ScriptedService.start(request -> {
            if (request.target().contains("stall")) {
                new CountDownLatch(1).await();
            }
            return request.target().contains("broken")
                    ? Answer.status(500, "{'error':'" + KEY + "'}")
                    : Answer.json("{'results':[{'title':'T','url':'https://a.example/','content':'c'}]}");
        });
        open.add(engine);
    }

    @AfterEach
    void stop() throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
    }

    private WebSearchTool tool(URI searxng, Secrets secrets) {
        WebSearchTool tool = WebSearchTool.of(
                new SearchSettings(
                        List.of(SearchSettings.Source.values()),
                        searxng,
                        List.of(),
                        engine.url(),
                        Duration.ofSeconds(20)),
                secrets);
        open.add(tool);
        return tool;
    }

    @Override
    protected Tool<?> tool() {
        return tool(engine.url(), WITH_KEY);
    }

    @Override
    protected Caller caller() {
        return Calls.ALICE;
    }

    @Override
    protected Map<String, ?> good() {
        return Map.of("query", "test");
    }

    @Override
    protected List<Trouble> troubles() {
        return List.of(
                new Trouble(
                        "both providers fail",
                        tool(),
                        Map.of("query", "broken"),
                        ErrorCode.TOOL_EXECUTION_FAILED,
                        "SearXNG answered with status 500",
                        "Brave answered with status 500"),
                new Trouble(
                        "nothing is configured",
                        tool(URI.create("http://127.0.0.1:1"), Secrets.NONE),
                        good(),
                        ErrorCode.TOOL_EXECUTION_FAILED,
                        "SEARXNG_URL",
                        "BRAVE_API_KEY"),
                new Trouble("a blank query", tool(), Map.of("query", " "), ErrorCode.INVALID_REQUEST, "query"));
    }

    @Override
    protected Optional<Map<String, ?>> endless() {
        return Optional.of(Map.of("query", "stall"));
    }

    @Override
    protected List<String> secrets() {
        return List.of(KEY);
    }
}
