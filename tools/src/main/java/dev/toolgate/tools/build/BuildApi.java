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

/** A client for one build service, with its credentials. */
final class BuildApi {
    static final int MAX_JSON_BYTES = 4 * 1024 * 1024;
    static final int MAX_LOG_BYTES = 8 * 1024 * 1024;

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

    ServiceClient.Reply get(String path, int maxBytes) throws ToolFailure, InterruptedException {
        return client.send(request(path).GET().build(), maxBytes);
    }

    ServiceClient.Reply post(String path, String contentType, String body) throws ToolFailure, InterruptedException {
        return client.send(
                request(path)
                        .header("Content-Type", contentType)
                        .POST(BodyPublishers.ofString(body))
                        .build(),
                MAX_JSON_BYTES);
    }

    /** Follows a link from the service without credentials, because it may point to another host. */
    Optional<String> getWithoutCredentials(String link, int maxBytes) throws ToolFailure, InterruptedException {
        boolean own = link.startsWith(base + "/");
        if (!own && !link.startsWith("https://")) {
            return Optional.empty();
        }
        HttpRequest request;
        try {
            request = HttpRequest.newBuilder(URI.create(link)).GET().build();
        } catch (
                @SuppressWarnings("UnusedException") // a build that has ended is reported without its log
                IllegalArgumentException malformed) {
            return Optional.empty();
        }
        ServiceClient.Reply reply = client.send(request, maxBytes);
        return reply.isSuccess() ? Optional.of(reply.body()) : Optional.empty();
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path))
                .header("Authorization", authorization)
                .header("User-Agent", "toolgate");
    }

    JsonNode json(ServiceClient.Reply reply) throws ToolFailure {
        try {
            return Json.MAPPER.readTree(requireSuccess(reply).body());
        } catch (
                @SuppressWarnings("UnusedException") // its message quotes the response
                JacksonException wrong) {
            throw failed("sent a response that is not JSON; check base_url");
        }
    }

    ServiceClient.Reply requireSuccess(ServiceClient.Reply reply) throws ToolFailure {
        Optional<ToolFailure> limited = RateLimit.in(reply, name, Clock.systemUTC());
        if (limited.isPresent()) {
            throw limited.get();
        }
        if (reply.isSuccess()) {
            return reply;
        }
        throw switch (reply.status()) {
            case 401 -> failed("does not accept the token; renew it");
            case 403 -> failed("does not permit the token to do this; give it the permission to run builds");
            case 404 -> failed("has no such build, or the token may not see it; check the build's settings");
            case 400, 422 -> failed("refused the parameters" + reason(reply));
            default ->
                reply.status() >= 500
                        ? new ToolFailure(
                                ErrorCode.SERVICE_UNAVAILABLE, name + " answered with status " + reply.status())
                        : failed("answered with status " + reply.status());
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
