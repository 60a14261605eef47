package dev.toolgate.tools.build;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContract;
import dev.toolgate.core.tool.ToolTrial;
import dev.toolgate.tools.FakeService;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RemoteBuildContractTest extends ToolContract {
    private static final String TOKEN = "planted-build-token";
    private static final String ACTIONS = "/repos/octo/shop/actions";

    private final FakeService service = new FakeService();

    @BeforeEach
    void open() {
        for (String workflow : List.of("good", "endless")) {
            int run = workflow.equals("good") ? 1 : 2;
            service.on(
                    "POST " + ACTIONS + "/workflows/" + workflow + "/dispatches",
                    200,
                    "{\"workflow_run_id\": " + run + "}");
        }
        service.on("GET " + ACTIONS + "/runs/1", 200, "{\"status\": \"completed\", \"conclusion\": \"success\"}");
        service.on("GET " + ACTIONS + "/runs/2", 200, "{\"status\": \"in_progress\"}");
        service.on("POST " + ACTIONS + "/runs/2/cancel", 202, "");
        service.on("POST " + ACTIONS + "/workflows/limited/dispatches", 429, "", "Retry-After", "60");
        service.on("POST " + ACTIONS + "/workflows/closed/dispatches", 401, "");
    }

    @AfterEach
    void close() {
        service.close();
    }

    @Override
    protected Tool<?> tool() {
        return new RemoteBuildTool(
                (tenant, name) -> name.equals("unknown")
                        ? Optional.empty()
                        : Optional.of(new BuildTarget.GitHubActions(
                                service.url(),
                                "octo/shop",
                                name,
                                List.of("main"),
                                "T",
                                List.of(),
                                Duration.ofMillis(50))),
                (tenant, name) -> Optional.of(TOKEN));
    }

    @Override
    protected Map<String, ?> good() {
        return Map.of("build", "good");
    }

    @Override
    protected List<Trouble> troubles() {
        return List.of(
                new Trouble(
                        "no such build",
                        tool(),
                        Map.of("build", "unknown"),
                        ErrorCode.TOOL_EXECUTION_FAILED,
                        "builds.local.unknown"),
                new Trouble(
                        "a rate limit", tool(), Map.of("build", "limited"), ErrorCode.RATE_LIMITED, "try again after"),
                new Trouble(
                        "a wrong token", tool(), Map.of("build", "closed"), ErrorCode.TOOL_EXECUTION_FAILED, "token"),
                new Trouble(
                        "no workflow",
                        tool(),
                        Map.of("build", "gone"),
                        ErrorCode.TOOL_EXECUTION_FAILED,
                        "has no such build"),
                new Trouble(
                        "an unknown parameter",
                        tool(),
                        Map.of("build", "good", "parameters", Map.of("x", "y")),
                        ErrorCode.INVALID_REQUEST,
                        "parameters.x"));
    }

    @Override
    protected Optional<Map<String, ?>> endless() {
        return Optional.of(Map.of("build", "endless"));
    }

    @Override
    protected void awaitBegun(ToolTrial trial) {
        Awaitility.await().until(() -> service.lines().contains("GET " + ACTIONS + "/runs/2"));
    }

    @Override
    protected List<String> secrets() {
        return List.of(TOKEN);
    }
}
