package dev.toolgate.server.admin.upstream;

import dev.toolgate.store.upstream.StoredAccount;
import java.time.Instant;

/**
 * An account at an MCP server as a JSON response, without anything secret.
 *
 * @param subject whose calls use it: {@code person:} and the principal, or {@code agent:} and the agent's id
 * @param issuer the authorization server that gave the token
 */
record AccountAnswer(
        String accountId,
        String serverName,
        String subject,
        String issuer,
        String connectedBy,
        Instant connectedAt,
        Instant renewedAt) {
    static AccountAnswer of(StoredAccount account) {
        return new AccountAnswer(
                account.id().toString(),
                account.server().value(),
                account.subject(),
                account.issuer(),
                account.connectedBy(),
                account.connectedAt(),
                account.renewedAt());
    }
}
