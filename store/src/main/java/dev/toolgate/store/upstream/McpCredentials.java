package dev.toolgate.store.upstream;

import dev.toolgate.core.setting.Setting;
import java.net.URI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The credentials of the gate at an MCP server; contains the names of secrets, never their values. */
public record McpCredentials(
        @Setting("How the gate authenticates: with a header, with tokens of an OAuth issuer, or with the account that"
                + " each user has connected.")
        Kind kind,

        @Setting("The name of the secret: the value of the header, or the OAuth client's secret.") @Nullable
        String secret,

        @Setting("The header that carries the secret; Authorization if not set.") @Nullable
        String header,

        @Setting("The scheme before the secret in the header; if not set, Bearer in Authorization and none elsewhere.")
        @Nullable
        String scheme,

        @Setting("The OAuth issuer; the secret is sent to no other, even if the server names one. Required with"
                + " client_id.")
        @Nullable
        URI issuer,

        @Setting("The id of the OAuth client.") @Nullable String clientId,

        @Setting("The OAuth scopes to ask for.") List<String> scopes,

        @Setting("The name of the secret with the token to exchange.") @Nullable
        String subjectSecret) {

    /** The authentication method. */
    public enum Kind {
        /** A header with the secret. */
        HEADER,
        /** OAuth client credentials: the gate acts for itself. */
        CLIENT_CREDENTIALS,
        /** OAuth token exchange (RFC 8693): the gate exchanges a configured token for one of the server's. */
        TOKEN_EXCHANGE,
        /** OAuth authorization by each user: a person connects an account in a browser. */
        USER
    }

    public McpCredentials {
        scopes = List.copyOf(scopes);
        if (secret != null || kind != Kind.USER) {
            FieldChecks.secretName("secret", FieldChecks.present("secret", secret));
        }
        FieldChecks.optional("header", header, FieldChecks.HEADER);
        FieldChecks.optional("scheme", scheme, FieldChecks.SCHEME);
        FieldChecks.atMost("scopes", scopes, 50);
        scopes.forEach(scope -> FieldChecks.matching("scopes", scope, FieldChecks.SCOPE));
        switch (kind) {
            case HEADER -> FieldChecks.absent("with kind header", issuer, clientId, subjectSecret);
            case CLIENT_CREDENTIALS -> {
                FieldChecks.absent("with kind client_credentials", header, scheme, subjectSecret);
                requireClient(issuer, clientId);
            }
            case TOKEN_EXCHANGE -> {
                FieldChecks.absent("with kind token_exchange", header, scheme);
                requireClient(issuer, clientId);
                FieldChecks.secretName("subject_secret", FieldChecks.present("subject_secret", subjectSecret));
            }
            case USER -> {
                FieldChecks.absent("with kind user", header, scheme, subjectSecret);
                if (secret != null) {
                    requireClient(issuer, clientId);
                } else {
                    checkClient(issuer, clientId);
                }
            }
        }
    }

    /**
     * Checks that a client id has its issuer, without which any server could have the client used at an issuer of its
     * own. Settings stored by earlier versions may lack it.
     *
     * @throws IllegalArgumentException if the issuer is missing
     */
    public void requireIssuerOfClient() {
        if (clientId != null && issuer == null) {
            throw new IllegalArgumentException(
                    "issuer: must be set together with client_id, because a client is registered with one issuer");
        }
    }

    private static void requireClient(@Nullable URI issuer, @Nullable String clientId) {
        checkClient(FieldChecks.present("issuer", issuer), FieldChecks.present("client_id", clientId));
    }

    private static void checkClient(@Nullable URI issuer, @Nullable String clientId) {
        if (issuer != null) {
            FieldChecks.url("issuer", issuer);
        }
        if (clientId != null) {
            FieldChecks.line("client_id", clientId);
        }
    }

    /** The name of the secret. */
    public String requiredSecret() {
        return FieldChecks.present("secret", secret);
    }

    /** The secret as the value of this header. */
    public String headerValue(String found) {
        if (scheme != null) {
            return scheme + " " + found;
        }
        return headerName().equalsIgnoreCase("Authorization") ? "Bearer " + found : found;
    }

    /** The name of the header. */
    public String headerName() {
        return header == null ? "Authorization" : header;
    }
}
