package dev.toolgate.tools.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.tools.FakeService;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class RemoteBuildToolTest {
    private static final String TOKEN = "planted-build-token";
    private static final String ACTIONS = "/repos/octo/shop/actions";
    private static final String DISPATCH = "POST " + ACTIONS + "/workflows/release.yml/dispatches";
    private static final String RUN = "GET " + ACTIONS + "/runs/77";
    private static final String JOB = "/job/team/job/shop";

    private final FakeService service = new FakeService();
    private final List<String> heard = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        service.close();
    }

    private RemoteBuildTool tool() {
        Map<String, BuildTarget> targets = Map.of(
                "release",
                new BuildTarget.GitHubActions(
                        service.url(),
                        "octo/shop",
                        "release.yml",
                        List.of("main", "v2"),
                        "GITHUB_TOKEN",
                        List.of("level"),
                        Duration.ofMillis(20)),
                "nightly",
                new BuildTarget.Jenkins(
                        service.url(), "team/shop", "bot", "JENKINS_TOKEN", List.of("LEVEL"), Duration.ofMillis(20)));
        return new RemoteBuildTool(
                (tenant, name) -> tenant.equals(Caller.local().tenant())
                        ? Optional.ofNullable(targets.get(name))
                        : Optional.empty(),
                (tenant, name) -> name.endsWith("_TOKEN") ? Optional.of(TOKEN) : Optional.empty());
    }

    private Output build(String name, Map<String, String> parameters, @Nullable String ref, @Nullable Integer wait)
            throws ToolFailure, InterruptedException {
        Call call = Call.of(Caller.local(), "remote_build", Json.MAPPER.createObjectNode())
                .followedBy(chunk -> heard.add(chunk.text()), new Cancellation());
        return tool().call(
                        new RemoteBuildTool.Arguments(name, parameters, ref, wait),
                        new ToolContext(call, Bounds.none()));
    }

    private void scriptRun(String conclusion) {
        scriptRun(conclusion, service.url() + "/blob?sig=1");
    }

    private void scriptRun(String conclusion, String logAddress) {
        String link = "\"html_url\": \"https://github.example/octo/shop/actions/runs/77\"";
        service.on(DISPATCH, 200, "{\"workflow_run_id\": 77, \"html_url\": \"x\"}");
        service.on(RUN, 200, "{\"status\": \"queued\", " + link + "}");
        service.on(RUN, 502, "bad gateway");
        service.on(RUN, 200, "{\"status\": \"in_progress\", " + link + "}");
        service.on(RUN, 200, "{\"status\": \"completed\", \"conclusion\": \"" + conclusion + "\", " + link + "}");
        service.on(
                "GET " + ACTIONS + "/runs/77/jobs?per_page=20",
                200,
                "{\"jobs\": [{\"id\": 5, \"name\": \"compile\"}]}");
        service.on("GET " + ACTIONS + "/jobs/5/logs", 302, "", "Location", logAddress);
        service.on("GET /blob?sig=1", 200, "line 1\nthe token is " + TOKEN + "\nlast line\n");
    }

    @Test
    void a_workflow_is_started_polled_and_its_log_shown() throws Exception {
        scriptRun("success");

        Output output = build("release", Map.of("level", "patch"), "v2", null);

        assertThat(output.text())
                .contains("has ended: succeeded", "actions/runs/77", "== compile ==", "last line")
                .doesNotContain(TOKEN);
        assertThat(output.verdict()).isEqualTo(Output.Verdict.OK);
        assertThat(service.requests().getFirst().body())
                .isEqualTo("{\"ref\":\"v2\",\"inputs\":{\"level\":\"patch\"},\"return_run_details\":true}");
        assertThat(service.requests().getFirst().header("Authorization")).isEqualTo("Bearer " + TOKEN);
        assertThat(service.requests().getLast().line()).isEqualTo("GET /blob?sig=1");
        assertThat(service.requests().getLast().header("Authorization"))
                .as("the blob is on another host")
                .isEmpty();
        assertThat(String.join("", heard))
                .contains("queued", "running", "succeeded")
                .doesNotContain(TOKEN);
    }

    @Test
    void a_workflow_is_reported_without_a_log_whose_address_is_malformed() throws Exception {
        scriptRun("success", "https://log^.example/");

        assertThat(build("release", Map.of(), null, null).text()).contains("has ended: succeeded", "[no log]");
    }

    @Test
    void a_failed_workflow_is_an_error_with_its_log() throws Exception {
        scriptRun("failure");
        Output output = build("release", Map.of(), null, null);
        assertThat(output.verdict()).isEqualTo(Output.Verdict.ERROR);
        assertThat(output.structured())
                .hasToString(
                        "Result[build=release, status=failed, link=https://github.example/octo/shop/actions/runs/77]");
    }

    @Test
    void the_run_is_searched_for_if_the_server_does_not_return_it() throws Exception {
        String runs = "GET " + ACTIONS
                + "/workflows/release.yml/runs?event=workflow_dispatch&per_page=20&branch=main&created=%3E%3D20*";
        service.on(DISPATCH, 422, "{\"message\": \"return_run_details is not a permitted key.\"}");
        service.on(DISPATCH, 204, "");
        service.on(runs, 200, "{\"workflow_runs\": []}");
        service.on(runs, 200, "{\"workflow_runs\": [{\"id\": 79}, {\"id\": 77}]}");
        service.on(RUN, 200, "{\"status\": \"queued\", \"html_url\": \"here\"}");

        assertThat(build("release", Map.of(), null, 0).text()).contains("is queued", "here");

        assertThat(service.requests().get(1).body()).isEqualTo("{\"ref\":\"main\",\"inputs\":{}}");
    }

    @Test
    void the_build_continues_after_the_wait() throws Exception {
        service.on(DISPATCH, 200, "{\"workflow_run_id\": 77}");
        service.on(RUN, 200, "{\"status\": \"in_progress\", \"html_url\": \"here\"}");

        Output output = build("release", Map.of(), null, 0);

        assertThat(output.text()).contains("is running and continues on the build service", "here");
        assertThat(service.lines()).doesNotContain("POST " + ACTIONS + "/runs/77/cancel");
    }

    @Test
    void a_cancelled_call_cancels_the_run() throws Exception {
        service.on(DISPATCH, 200, "{\"workflow_run_id\": 77}");
        service.on(RUN, 200, "{\"status\": \"in_progress\", \"html_url\": \"here\"}");
        service.on("POST " + ACTIONS + "/runs/77/cancel", 202, "{}");
        cancelOnceSeen("release", RUN);
        assertThat(service.lines()).last().isEqualTo("POST " + ACTIONS + "/runs/77/cancel");
    }

    @Test
    void a_cancelled_call_stops_or_dequeues_a_jenkins_build() throws Exception {
        service.on("POST " + JOB + "/build", 201, "", "Location", service.url() + "/queue/item/12/");
        service.on("GET /queue/item/12/api/json", 200, "{\"why\": \"waiting\"}");
        service.on("POST /queue/cancelItem?id=12", 302, "", "Location", "/");
        cancelOnceSeen("nightly", "GET /queue/item/12/api/json");
        assertThat(service.lines()).last().isEqualTo("POST /queue/cancelItem?id=12");

        service.on("GET /queue/item/12/api/json", 200, "{\"executable\": {\"number\": 8}}");
        service.on("GET " + JOB + "/8/api/json?tree=building,result", 200, "{\"building\": true}");
        service.on("GET " + JOB + "/8/logText/progressiveText?start=0", 200, "", "X-Text-Size", "0");
        service.on("POST " + JOB + "/8/stop", 302, "", "Location", "/");
        cancelOnceSeen("nightly", "GET " + JOB + "/8/api/json?tree=building,result");
        assertThat(service.lines()).last().isEqualTo("POST " + JOB + "/8/stop");
    }

    private void cancelOnceSeen(String name, String line) throws Exception {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread caller = Thread.ofVirtual().start(() -> {
            try {
                build(name, Map.of(), null, null);
            } catch (ToolFailure | InterruptedException stopped) {
                thrown.set(stopped);
            }
        });
        await().until(() -> service.lines().contains(line));
        caller.interrupt();
        caller.join();
        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    }

    @Test
    void a_jenkins_job_is_queued_built_and_its_log_streamed() throws Exception {
        service.on("POST " + JOB + "/buildWithParameters", 201, "", "Location", "http://elsewhere/queue/item/12/");
        service.on("GET /queue/item/12/api/json", 200, "{\"why\": \"waiting\"}");
        service.on(
                "GET /queue/item/12/api/json",
                200,
                "{\"executable\": {\"number\": 8, \"url\": \"http://elsewhere/\"}}");
        service.on("GET " + JOB + "/8/api/json?tree=building,result", 200, "{\"building\": true, \"result\": null}");
        service.on(
                "GET " + JOB + "/8/api/json?tree=building,result",
                200,
                "{\"building\": false, \"result\": \"FAILURE\"}");
        service.on("GET " + JOB + "/8/logText/progressiveText?start=0", 200, "first\n", "X-Text-Size", "6");
        service.on(
                "GET " + JOB + "/8/logText/progressiveText?start=6",
                200,
                "then " + TOKEN + "\n" + "x".repeat(20_000),
                "X-Text-Size",
                "30");

        Output output = build("nightly", Map.of("LEVEL", "a&b=c"), null, null);

        assertThat(output.verdict()).isEqualTo(Output.Verdict.ERROR);
        assertThat(output.text()).contains("has ended: failed", service.url() + JOB + "/8/");
        assertThat(service.requests().getFirst().body()).isEqualTo("LEVEL=a%26b%3Dc");
        assertThat(service.requests().getFirst().header("Authorization")).startsWith("Basic ");
        assertThat(heard).anyMatch(text -> text.startsWith("first"));
        assertThat(output.artifacts()).hasSize(1);
        String log = new String(
                output.artifacts().getFirst().content().open().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(log).startsWith("first\nthen [redacted]").doesNotContain(TOKEN);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "401 | TOOL_EXECUTION_FAILED | does not accept the token",
                "403 | TOOL_EXECUTION_FAILED | does not permit the token",
                "404 | TOOL_EXECUTION_FAILED | has no such build",
                "422 | TOOL_EXECUTION_FAILED | refused the parameters: No ref found",
                "500 | SERVICE_UNAVAILABLE | status 500",
                "302 | TOOL_EXECUTION_FAILED | status 302",
            })
    void every_refusal_is_explained(int status, ErrorCode code, String words) {
        service.on(DISPATCH, status, "{\"message\": \"No ref found\"}");
        assertThatThrownBy(() -> build("release", Map.of(), null, null))
                .hasMessageContaining(words)
                .isInstanceOfSatisfying(
                        ToolFailure.class,
                        said -> assertThat(said.failure().code()).isEqualTo(code));
    }

    @Test
    void a_rate_limit_reports_its_reset_time() {
        service.on(DISPATCH, 403, "{}", "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "4102444800");
        assertThatThrownBy(() -> build("release", Map.of(), null, null))
                .isInstanceOfSatisfying(ToolFailure.class, limited -> {
                    assertThat(limited.failure().code()).isEqualTo(ErrorCode.RATE_LIMITED);
                    assertThat(limited.failure().details()).containsEntry("resetAt", "2100-01-01T00:00:00Z");
                });
    }

    @Test
    void only_configured_builds_can_be_started() {
        assertThatThrownBy(() -> build("other", Map.of(), null, null)).hasMessageContaining("set builds.local.other");
        assertThatThrownBy(() -> build("release", Map.of("shell", "x"), null, null))
                .hasMessageContaining("parameters.shell");
        assertThatThrownBy(() -> build("release", Map.of(), "evil", null)).hasMessageContaining("one of main, v2");
        assertThatThrownBy(() -> build("nightly", Map.of(), "main", null)).hasMessageContaining("ref");
        assertThat(service.requests()).isEmpty();
    }
}
