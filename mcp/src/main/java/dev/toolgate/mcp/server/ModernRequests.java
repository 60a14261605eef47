package dev.toolgate.mcp.server;

import dev.toolgate.mcp.jsonrpc.RpcErrorCode;
import dev.toolgate.mcp.jsonrpc.RpcException;
import dev.toolgate.mcp.jsonrpc.RpcMessage;
import dev.toolgate.mcp.protocol.ClientCapabilities;
import dev.toolgate.mcp.protocol.Era;
import dev.toolgate.mcp.protocol.Implementation;
import dev.toolgate.mcp.protocol.LogLevel;
import dev.toolgate.mcp.protocol.MetaKeys;
import dev.toolgate.mcp.protocol.Revision;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads the client's metadata from a request of the modern era. */
public final class ModernRequests {
    private ModernRequests() {}

    /**
     * The client of a request.
     *
     * @param scope of the connection; null if unknown
     * @param versionCheck called with the version before it is checked for support
     * @throws RpcException if something is missing or the revision is not supported
     */
    public static Peer peer(
            RpcMessage.Request request, Object caller, @Nullable String scope, Consumer<String> versionCheck) {
        ObjectNode meta = new RequestParams(request.params()).meta();
        JsonNode version = meta.get(MetaKeys.PROTOCOL_VERSION);
        ClientCapabilities capabilities = ClientCapabilities.read(meta.get(MetaKeys.CLIENT_CAPABILITIES));
        if (version == null || !version.isString() || capabilities == null) {
            throw RpcErrorCode.INVALID_PARAMS.exception("The parameters must have " + MetaKeys.PROTOCOL_VERSION
                    + " and " + MetaKeys.CLIENT_CAPABILITIES + " in _meta.");
        }
        versionCheck.accept(version.stringValue());
        Revision revision = Revision.of(version.stringValue());
        if (revision == null || revision.era() != Era.MODERN) {
            throw unsupported(version.stringValue());
        }
        return new Peer(
                revision,
                Implementation.read(meta.get(MetaKeys.CLIENT_INFO)),
                capabilities,
                LogLevel.of(meta.path(MetaKeys.LOG_LEVEL).asString("")),
                caller,
                scope,
                null);
    }

    private static RpcException unsupported(String requested) {
        ObjectNode data = JsonNodeFactory.instance.objectNode();
        Revision.versions().forEach(data.putArray("supported")::add);
        data.put("requested", requested);
        return new RpcException(
                RpcErrorCode.UNSUPPORTED_PROTOCOL_VERSION.error("This protocol version is not supported.", data));
    }
}
