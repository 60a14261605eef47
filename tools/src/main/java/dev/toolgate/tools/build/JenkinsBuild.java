package dev.toolgate.tools.build;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.tools.PathText;
import dev.toolgate.tools.ServiceClient;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** A build of a Jenkins job: first a queue item, then a build number. */
final class JenkinsBuild implements RunningBuild {
    private static final Pattern ITEM = Pattern.compile(".*/queue/item/(\\d{1,18})/?");
    private static final String FORM = "application/x-www-form-urlencoded";

    private final BuildApi api;
    private final String base;
    private final String job;
    private final String item;
    private final StringBuilder log = new StringBuilder();
    private @Nullable String number;
    private long position;

    private JenkinsBuild(BuildApi api, String base, String job, String item) {
        this.api = api;
        this.base = base;
        this.job = job;
        this.item = item;
    }

    static RunningBuild start(BuildTarget.Jenkins target, String token, Map<String, String> parameters)
            throws ToolFailure, InterruptedException {
        BuildApi api = new BuildApi("Jenkins", target.baseUrl(), authorization(target.user(), token));
        String job = "/job/"
                + PathText.encoded(target.job())
                        .orElseThrow(() -> api.failed("needs a job such as team/shop"))
                        .replace("/", "/job/");
        ServiceClient.Reply reply = api.requireSuccess(api.post(
                job + (parameters.isEmpty() ? "/build" : "/buildWithParameters"),
                FORM,
                parameters.entrySet().stream()
                        .map(one -> PathText.encodedPart(one.getKey()) + "=" + PathText.encodedPart(one.getValue()))
                        .collect(Collectors.joining("&"))));
        Matcher item = ITEM.matcher(reply.header("location").orElse(""));
        if (!item.matches()) {
            throw api.failed("accepted the build without a queue location; see the job's page");
        }
        return new JenkinsBuild(api, target.baseUrl().toString().replaceFirst("/+$", ""), job, item.group(1));
    }

    static String authorization(String user, String token) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + token).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public State poll() throws ToolFailure, InterruptedException {
        String known = number;
        if (known == null) {
            JsonNode waiting = api.json(api.get("/queue/item/" + item + "/api/json", BuildApi.MAX_JSON_BYTES));
            if (waiting.path("cancelled").asBoolean(false)) {
                return new State(Phase.CANCELLED, base + job + "/", "");
            }
            JsonNode begun = waiting.path("executable").path("number");
            if (!begun.isIntegralNumber()) {
                return new State(Phase.QUEUED, base + job + "/", "");
            }
            known = String.valueOf(begun.asLong());
            number = known;
        }
        JsonNode build =
                api.json(api.get(job + "/" + known + "/api/json?tree=building,result", BuildApi.MAX_JSON_BYTES));
        String printed = print(known);
        return new State(phase(build), base + job + "/" + known + "/", printed);
    }

    private static Phase phase(JsonNode build) {
        if (build.path("building").asBoolean(false)) {
            return Phase.RUNNING;
        }
        return switch (build.path("result").asString("")) {
            case "SUCCESS" -> Phase.SUCCEEDED;
            case "ABORTED" -> Phase.CANCELLED;
            case "" -> Phase.RUNNING;
            default -> Phase.FAILED;
        };
    }

    private String print(String known) throws ToolFailure, InterruptedException {
        int room = BuildApi.MAX_LOG_BYTES - log.length();
        if (room <= 0) {
            return "";
        }
        ServiceClient.Reply reply = api.get(job + "/" + known + "/logText/progressiveText?start=" + position, room);
        if (!reply.isSuccess()) {
            return "";
        }
        position = reply.header("x-text-size")
                .filter(size -> size.matches("\\d{1,18}"))
                .map(Long::parseLong)
                .orElse(position);
        log.append(reply.body());
        return reply.body();
    }

    @Override
    public void cancel() throws ToolFailure, InterruptedException {
        String known = number;
        ServiceClient.Reply reply = known == null
                ? api.post("/queue/cancelItem?id=" + item, FORM, "")
                : api.post(job + "/" + known + "/stop", FORM, "");
        if (reply.status() >= 400
                && reply.status() != 404) { // a cancelled item no longer exists and is answered with a redirect
            api.requireSuccess(reply);
        }
    }

    @Override
    public String log() {
        return log.toString();
    }
}
