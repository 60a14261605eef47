package dev.toolgate.mcp.client.oauth;

import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import java.util.List;

/**
 * Which authorization server a client proves itself to. A server that has been taken over can name one of its own, so a
 * client with a secret knows beforehand who may get it.
 */
public sealed interface TrustedIssuer {
    /** Only this one, whatever the server names. */
    record Only(String issuer) implements TrustedIssuer {}

    /** The first that the server names. */
    record NamedByServer() implements TrustedIssuer {}

    /**
     * The one to go to, of those that a server names.
     *
     * @throws McpFailure if it is not among them
     */
    default String among(List<String> named) throws McpFailure {
        return switch (this) {
            case NamedByServer() -> named.getFirst();
            case Only(String issuer) -> {
                if (!named.contains(issuer)) {
                    throw new McpFailure(
                            McpFailureKind.UNAUTHORIZED,
                            "The server does not name the configured issuer " + issuer
                                    + " as its authorization server, so no secret was sent; check whether the server is"
                                    + " the right one and change the issuer if it has moved.");
                }
                yield issuer;
            }
        };
    }
}
