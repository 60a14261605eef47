package dev.toolgate.tools.web;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContract;
import dev.toolgate.runtime.network.GuardedFetch;
import dev.toolgate.tools.ScriptedService;
import dev.toolgate.tools.ScriptedService.Answer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class BrowseWebContractTest extends ToolContract {
    private ScriptedService site;

    @BeforeEach
    void start() throws IOException {
        site = ScriptedService.on(SmallInternet.PUBLIC, request -> switch (request.target()) {
            case "/stall" -> {
                new CountDownLatch(1).await();
                yield Answer.html("");
            }
            case "/scripted" -> Answer.html("<div id=root></div><script>fill()</script>");
            case "/missing" -> Answer.status(404, "");
            case "/file" -> new Answer(200, "\0", Map.of("Content-Type", "image/png"));
            default -> Answer.html("<p>Hello there.</p>");
        });
    }

    @AfterEach
    void stop() {
        site.close();
    }

    @Override
    protected Tool<?> tool() {
        return new BrowseWebTool(
                new GuardedFetch(SmallInternet.POLICY, SmallInternet.RESOLVER),
                Renderer.NONE,
                new ExtractiveSummariser(500));
    }

    private static Map<String, ?> reading(String url) {
        return Map.of("url", url, "task_description", "What does it say?");
    }

    @Override
    protected Map<String, ?> good() {
        return reading(site.url() + "/");
    }

    @Override
    protected List<Trouble> troubles() {
        return List.of(
                new Trouble(
                        "an internal address",
                        tool(),
                        reading("http://127.0.0.1:" + site.port() + "/"),
                        ErrorCode.PERMISSION_DENIED,
                        "127.0.0.1"),
                new Trouble(
                        "an unknown host",
                        tool(),
                        reading("http://absent.example/"),
                        ErrorCode.TOOL_EXECUTION_FAILED,
                        "absent.example"),
                new Trouble(
                        "no such page",
                        tool(),
                        reading(site.url() + "/missing"),
                        ErrorCode.TOOL_EXECUTION_FAILED,
                        "404"),
                new Trouble(
                        "no text", tool(), reading(site.url() + "/file"), ErrorCode.TOOL_EXECUTION_FAILED, "image/png"),
                new Trouble(
                        "a page that needs scripts, without a renderer",
                        tool(),
                        reading(site.url() + "/scripted"),
                        ErrorCode.TOOL_EXECUTION_FAILED,
                        "Chromium",
                        "tools.web.rendering"),
                new Trouble("an invalid URL", tool(), reading("ftp://example.org/"), ErrorCode.INVALID_REQUEST, "URL"));
    }

    @Override
    protected Optional<Map<String, ?>> endless() {
        return Optional.of(reading(site.url() + "/stall"));
    }
}
