package dev.toolgate.tools.build;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.tools.RateLimit;
import dev.toolgate.tools.ServiceClient;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/** One service that runs builds, with the header that shows who asks. */
final class BuildApi {
    static final int MOST_JSON = 4 * 1024 * 1024;
    static final int MOST_LOG = 8 * 1024 * 1024;

    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    private final String name;
    private final String base;
    private final String authorization;
    private final ServiceClient client;

    BuildApi(String name, URI base, String authorization) {
        this.name = name;
        this.base = base.toString().replaceFirst("/+$", "");
        this.authorization = authorization;
        this.client = new ServiceClient("build service " + name, TIMEOUT);
    }

    ServiceClient.Reply get(String path, int mostBytes) throws ToolFailure, InterruptedException {
        return client.send(request(path).GET().build(), mostBytes);
    }

    ServiceClient.Reply post(String path, String contentType, String body) throws ToolFailure, InterruptedException {
        return client.send(
                request(path)
                        .header("Content-Type", contentType)
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                MOST_JSON);
    }

    /** Follows a link the service gave, without showing who asks: it may lead to somebody else. */
    Optional<String> anonymously(String link, int mostBytes) throws ToolFailure, InterruptedException {
        boolean own = link.startsWith(base + "/");
        if (!own && !link.startsWith("https://")) {
            return Optional.empty();
        }
        ServiceClient.Reply reply =
                client.send(HttpRequest.newBuilder(URI.create(link)).GET().build(), mostBytes);
        return reply.isGood() ? Optional.of(reply.body()) : Optional.empty();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path))
                .header("Authorization", authorization)
                .header("User-Agent", "toolgate");
    }

    JsonNode json(ServiceClient.Reply reply) throws ToolFailure {
        try {
            return Json.MAPPER.readTree(good(reply).body());
        } catch (
                @SuppressWarnings("UnusedException") // quotes the answer
                JacksonException wrong) {
            throw failed("gave an answer that cannot be read; check base_url");
        }
    }

    ServiceClient.Reply good(ServiceClient.Reply reply) throws ToolFailure {
        Optional<ToolFailure> limited = RateLimit.in(reply, name, Clock.systemUTC());
        if (limited.isPresent()) {
            throw limited.get();
        }
        if (reply.isGood()) {
            return reply;
        }
        throw switch (reply.status()) {
            case 401 -> failed("does not accept the token; renew it");
            case 403 -> failed("does not let the token do this; give it the permission to run builds");
            case 404 -> failed("does not know this build, or the token may not see it; check the build's settings");
            case 400, 422 -> failed("refused the parameters" + reason(reply));
            default ->
                reply.status() >= 500
                        ? new ToolFailure(
                                ErrorCode.SERVICE_UNAVAILABLE, name + " answers with status " + reply.status())
                        : failed("answers with status " + reply.status());
        };
    }

    private static String reason(ServiceClient.Reply reply) {
        try {
            String message = Json.MAPPER.readTree(reply.body()).path("message").asString("");
            return message.isEmpty() ? "" : ": " + message.substring(0, Math.min(300, message.length()));
        } catch (JacksonException notJson) {
            return "";
        }
    }

    ToolFailure failed(String what) {
        return new ToolFailure(ErrorCode.TOOL_EXECUTION_FAILED, name + " " + what);
    }
}
