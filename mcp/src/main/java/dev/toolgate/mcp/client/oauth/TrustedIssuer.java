package dev.toolgate.mcp.client.oauth;

import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import java.util.List;

/**
 * Which authorization server a client authenticates to. A compromised server can name an attacker's, so for a client
 * with a secret the issuer is configured in advance.
 */
public sealed interface TrustedIssuer {
    /** Only this one, regardless of what the server names. */
    record Only(String issuer) implements TrustedIssuer {}

    /** The first that the server names. */
    record NamedByServer() implements TrustedIssuer {}

    /**
     * Chooses from the issuers that a server names.
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
