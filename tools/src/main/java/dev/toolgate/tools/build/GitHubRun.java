package dev.toolgate.tools.build;

import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.tools.PathText;
import dev.toolgate.tools.ServiceClient;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A run of a GitHub Actions workflow. */
final class GitHubRun implements RunningBuild {
    private static final int MAX_JOBS = 20;
    private static final int MAX_SEARCHES = 10;

    private final BuildApi api;
    private final String repository;
    private final long run;

    private GitHubRun(BuildApi api, String repository, long run) {
        this.api = api;
        this.repository = repository;
        this.run = run;
    }

    static RunningBuild start(
            BuildTarget.GitHubActions target, String token, String ref, Map<String, String> parameters)
            throws ToolFailure, InterruptedException {
        BuildApi api = new BuildApi("GitHub", target.baseUrl(), "Bearer " + token);
        String repository = "/repos/"
                + PathText.encoded(target.repository())
                        .orElseThrow(() -> api.failed("needs a repository such as octo/shop"));
        String workflow = repository + "/actions/workflows/" + PathText.encodedPart(target.workflow());
        ObjectNode inputs = Json.MAPPER.createObjectNode().put("ref", ref);
        inputs.set("inputs", Json.MAPPER.valueToTree(parameters));
        ServiceClient.Reply reply = dispatch(api, workflow, inputs.deepCopy().put("return_run_details", true));
        if (reply.status() == 422 && reply.body().contains("return_run_details")) {
            reply = dispatch(api, workflow, inputs); // an older server that does not know this field
        }
        api.requireSuccess(reply);
        OptionalLong id = reply.status() == 204
                ? OptionalLong.empty()
                : id(api.json(reply).path("workflow_run_id"));
        return new GitHubRun(
                api,
                repository,
                id.isPresent()
                        ? id.getAsLong()
                        : search(api, workflow, ref, dispatchedAt(reply), target.pollInterval()));
    }

    private static ServiceClient.Reply dispatch(BuildApi api, String workflow, ObjectNode inputs)
            throws ToolFailure, InterruptedException {
        return api.post(workflow + "/dispatches", "application/json", inputs.toString());
    }

    // By the server's clock if it sends it, because its runs are searched by their time.
    private static Instant dispatchedAt(ServiceClient.Reply reply) {
        return reply.header("date")
                .flatMap(GitHubRun::parsed)
                .orElseGet(Instant::now)
                .truncatedTo(ChronoUnit.SECONDS);
    }

    private static Optional<Instant> parsed(String date) {
        try {
            return Optional.of(ZonedDateTime.parse(date, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant());
        } catch (
                @SuppressWarnings("UnusedException") // the workflow has been dispatched and must still be found
                DateTimeParseException malformed) {
            return Optional.empty();
        }
    }

    // For servers that do not return the run id: the first run of this workflow and ref since the dispatch.
    private static long search(BuildApi api, String workflow, String ref, Instant dispatchedAt, Duration pause)
            throws ToolFailure, InterruptedException {
        String path = workflow + "/runs?event=workflow_dispatch&per_page=20&branch=" + PathText.encodedPart(ref)
                + "&created=" + PathText.encodedPart(">=" + dispatchedAt);
        for (int look = 0; look < MAX_SEARCHES; look++) {
            JsonNode runs = api.json(api.get(path, BuildApi.MAX_JSON_BYTES)).path("workflow_runs");
            OptionalLong first = runs.valueStream()
                    .mapToLong(found -> found.path("id").asLong(0))
                    .filter(found -> found > 0)
                    .min();
            if (first.isPresent()) {
                return first.getAsLong();
            }
            Thread.sleep(pause);
        }
        throw api.failed("accepted the dispatch, but no run has appeared; see the repository's Actions page");
    }

    private static OptionalLong id(JsonNode node) {
        return node.isIntegralNumber() ? OptionalLong.of(node.asLong()) : OptionalLong.empty();
    }

    @Override
    public State poll() throws ToolFailure, InterruptedException {
        JsonNode found = api.json(api.get(path(""), BuildApi.MAX_JSON_BYTES));
        Phase phase =
                switch (found.path("status").asString("")) {
                    case "completed" ->
                        switch (found.path("conclusion").asString("")) {
                            case "success", "neutral", "skipped" -> Phase.SUCCEEDED;
                            case "cancelled" -> Phase.CANCELLED;
                            default -> Phase.FAILED;
                        };
                    case "in_progress" -> Phase.RUNNING;
                    default -> Phase.QUEUED;
                };
        return new State(phase, found.path("html_url").asString(""), "");
    }

    @Override
    public void cancel() throws ToolFailure, InterruptedException {
        ServiceClient.Reply reply = api.post(path("/cancel"), "application/json", "");
        if (reply.status() != 409) { // it has already ended
            api.requireSuccess(reply);
        }
    }

    @Override
    public String log() throws ToolFailure, InterruptedException {
        StringBuilder log = new StringBuilder();
        JsonNode jobs = api.json(api.get(path("/jobs?per_page=" + MAX_JOBS), BuildApi.MAX_JSON_BYTES))
                .path("jobs");
        for (JsonNode job : jobs) {
            log.append("== ").append(job.path("name").asString("")).append(" ==\n");
            ServiceClient.Reply reply = api.get(
                    repository + "/actions/jobs/" + job.path("id").asLong(0) + "/logs",
                    Math.max(1, BuildApi.MAX_LOG_BYTES - log.length()));
            Optional<String> text = reply.header("location").isPresent()
                    ? api.getWithoutCredentials(
                            reply.header("location").get(), Math.max(1, BuildApi.MAX_LOG_BYTES - log.length()))
                    : Optional.of(reply.body()).filter(_ -> reply.isSuccess());
            log.append(text.orElse("[no log]")).append('\n');
        }
        return log.toString();
    }

    private String path(String rest) {
        return repository + "/actions/runs/" + run + rest;
    }
}
