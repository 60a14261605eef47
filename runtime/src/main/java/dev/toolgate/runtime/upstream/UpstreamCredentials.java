package dev.toolgate.runtime.upstream;

import dev.toolgate.core.call.Unavailable;
import dev.toolgate.mcp.client.http.ServerAuthorization;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The credentials for a server. A failure to get them has a kind of its own, because it says nothing about the server:
 * it has executed nothing, and its other calls go on.
 */
record UpstreamCredentials(ServerAuthorization source) implements ServerAuthorization {
    @Override
    public Map<String, String> headers() throws McpFailure {
        try {
            return source.headers();
        } catch (McpFailure failed) {
            throw distinct(failed);
        } catch (Unavailable unavailable) {
            throw failure(unavailable);
        }
    }

    @Override
    public @Nullable String renew(Refusal refusal) throws McpFailure {
        try {
            return source.renew(refusal);
        } catch (McpFailure failed) {
            throw distinct(failed);
        } catch (Unavailable unavailable) {
            throw failure(unavailable);
        }
    }

    private static McpFailure distinct(McpFailure failed) {
        return switch (failed.kind()) {
            case UNAUTHORIZED, ADDRESS_REFUSED, CANCELLED, CREDENTIALS_UNAVAILABLE -> failed;
            case SERVER_ERROR,
                    INVALID_ANSWER,
                    TOO_LARGE,
                    TIMEOUT,
                    INPUT_REFUSED,
                    CONNECTION_LOST,
                    UNREACHABLE,
                    SESSION_LOST,
                    NOT_SENT,
                    HTTP_STATUS -> failure(failed);
        };
    }

    private static McpFailure failure(Exception cause) {
        return new McpFailure(McpFailureKind.CREDENTIALS_UNAVAILABLE, String.valueOf(cause.getMessage()), cause);
    }
}
