package dev.toolgate.tools.web;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.output.HeadTail;
import dev.toolgate.core.schema.Param;
import dev.toolgate.core.schema.Touch;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.core.tool.ToolSpec;
import dev.toolgate.runtime.network.GuardedFetch;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** {@code browse_web}: reads a public web page and summarises it for a task. */
public final class BrowseWebTool implements Tool<BrowseWebTool.Arguments> {
    private static final Duration FETCH_LIMIT = Duration.ofSeconds(30);
    private static final Duration RENDER_LIMIT = Duration.ofSeconds(45);
    private static final String ACCEPT = "text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.5";
    private static final int MAX_TASK_LENGTH = 4000;

    private static final ToolSpec<Arguments> SPEC = ToolSpec.of(
                    "browse_web",
                    Arguments.class,
                    Category.SEARCH,
                    "Network.Http",
                    "Read a public web page and return what matters for a task")
            .sending()
            .returning(Result.class)
            .within(Duration.ofMinutes(2));

    private final Function<TenantId, PageAccess> access;
    private final Summariser summariser;

    /** For tenants that share the same address policy. */
    public BrowseWebTool(GuardedFetch fetch, Renderer renderer, Summariser summariser) {
        this(_ -> new PageAccess(fetch, renderer), summariser);
    }

    /** @param access the page access of each tenant */
    public BrowseWebTool(Function<TenantId, PageAccess> access, Summariser summariser) {
        this.access = access;
        this.summariser = summariser;
    }

    /** The arguments. */
    public record Arguments(
            @Param(
                    value = "The page's address; http or https, public addresses only",
                    minLength = 1,
                    touches = Touch.URL)
            String url,

            @Param(value = "The task for which the page is read", minLength = 1) @JsonProperty("task_description")
            String taskDescription) {}

    /** The result. */
    public record Result(String summary) {}

    @Override
    public ToolSpec<Arguments> spec() {
        return SPEC;
    }

    @Override
    public Output call(Arguments arguments, ToolContext context) throws ToolFailure, InterruptedException {
        if (arguments.taskDescription().length() > MAX_TASK_LENGTH) {
            throw new ToolFailure(
                    ErrorCode.INVALID_REQUEST,
                    "Field 'task_description' must have at most " + MAX_TASK_LENGTH + " characters");
        }
        List<String> domains = context.bounds().allowedDomains();
        PageAccess pages = access.apply(context.call().caller().tenant());
        GuardedFetch.Page fetched = pages.fetch().get(arguments.url(), domains, ACCEPT, FETCH_LIMIT);
        if (fetched.status() >= 400) {
            throw failed("The page answered with status " + fetched.status() + "; check its address");
        }
        String content = fetched.text()
                .orElseThrow(() -> failed("The page is not text but " + fetched.contentType()
                        + "; fetch it with http_request to get it as a file"));
        boolean needsScripts = isHtml(fetched.contentType()) && ScriptDetection.needsScripts(content);
        Optional<String> rendered =
                needsScripts ? pages.renderer().render(fetched.url(), domains, RENDER_LIMIT) : Optional.empty();
        PageText page = isHtml(fetched.contentType())
                ? MainText.of(fetched.url(), rendered.orElse(content))
                : new PageText(fetched.url(), "", content);
        if (needsScripts && rendered.isEmpty() && page.text().isBlank()) {
            throw failed("The page's text is created by scripts, which could not be run; install Chromium and"
                    + " bubblewrap and set tools.web.rendering to auto, or read another page");
        }
        Summary summary = summariser.summarise(page, arguments.taskDescription(), context);
        String text = HeadTail.fit(summary.text(), context.maxOutputBytesOr(ToolContext.DEFAULT_OUTPUT_BYTES));
        Map<String, Object> facts = new LinkedHashMap<>(summary.facts());
        facts.putAll(Map.of("url", fetched.url(), "title", page.title(), "rendered", rendered.isPresent()));
        return Output.of(text, new Result(text)).with(facts);
    }

    private static boolean isHtml(String contentType) {
        String type = contentType.toLowerCase(Locale.ROOT);
        return type.startsWith("text/html") || type.startsWith("application/xhtml");
    }

    private static ToolFailure failed(String message) {
        return new ToolFailure(ErrorCode.TOOL_EXECUTION_FAILED, message);
    }
}
