package dev.toolgate.tools.vault;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.tools.RateLimit;
import dev.toolgate.tools.ServiceClient;
import java.time.Clock;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Parses the response of a vault. Its messages are not quoted, because they may contain secrets. */
final class VaultReply {
    private VaultReply() {}

    /** A version of a secret. */
    record Found(ObjectNode values, int version) {}

    static Found read(ServiceClient.Reply reply, String path) throws ToolFailure {
        Optional<ToolFailure> limited = RateLimit.in(reply, "The vault", Clock.systemUTC());
        if (limited.isPresent()) {
            throw limited.get();
        }
        return switch (reply.status()) {
            case 200 -> found(reply, path);
            case 400 -> throw failed("The vault refused the request as malformed; check path, mount and version");
            case 403 ->
                throw failed("The vault's token may not read '" + path
                        + "', or is no longer valid; ask for a policy that allows it or renew the token");
            case 404 -> throw new ToolFailure(ErrorCode.KEY_NOT_FOUND, absent(reply, path));
            case 503 ->
                throw new ToolFailure(
                        ErrorCode.SERVICE_UNAVAILABLE,
                        "The vault is sealed or in maintenance; unseal it and try again");
            case 472, 473 ->
                throw new ToolFailure(
                        ErrorCode.SERVICE_UNAVAILABLE,
                        "The vault is a standby node; set the address of the active" + " one");
            case 301, 302, 303, 307, 308 ->
                throw failed("The vault redirected to another address, which is not followed; set that address");
            default -> throw failed("The vault answered with status " + reply.status());
        };
    }

    private static Found found(ServiceClient.Reply reply, String path) throws ToolFailure {
        JsonNode data = tree(reply).path("data");
        if (!(data.path("data") instanceof ObjectNode values)) {
            throw failed("At '" + path + "' the vault has no KV version 2 secret; check the mount");
        }
        return new Found(values, data.path("metadata").path("version").asInt(0));
    }

    private static String absent(ServiceClient.Reply reply, String path) throws ToolFailure {
        JsonNode metadata = tree(reply).path("data").path("metadata");
        if (metadata.path("destroyed").asBoolean(false)) {
            return "That version of '" + path + "' was destroyed; ask for another version";
        }
        return metadata.path("deletion_time").asString("").isEmpty()
                ? "There is no secret at '" + path + "'; check path and mount"
                : "That version of '" + path + "' was deleted; ask for another version";
    }

    private static JsonNode tree(ServiceClient.Reply reply) throws ToolFailure {
        try {
            return Json.MAPPER.readTree(reply.body());
        } catch (
                @SuppressWarnings("UnusedException") // its message quotes the response
                JacksonException wrong) {
            throw failed("The vault's response is not JSON; check its address");
        }
    }

    private static ToolFailure failed(String message) {
        return new ToolFailure(ErrorCode.TOOL_EXECUTION_FAILED, message);
    }
}
