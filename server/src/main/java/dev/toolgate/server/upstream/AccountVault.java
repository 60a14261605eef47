package dev.toolgate.server.upstream;

import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.redact.KnownSecrets;
import dev.toolgate.mcp.client.oauth.PendingAuthorization;
import dev.toolgate.mcp.client.oauth.RegisteredClient;
import dev.toolgate.mcp.client.oauth.StoredToken;
import dev.toolgate.server.secret.TokenSealer;
import dev.toolgate.store.identity.SealedBytes;
import dev.toolgate.store.upstream.AccountRequest;
import dev.toolgate.store.upstream.AccountTable;
import dev.toolgate.store.upstream.ServerName;
import dev.toolgate.store.upstream.StoredAccount;
import java.net.URI;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Encrypts and decrypts the secrets of accounts for the database. All tokens it handles are masked from then on. */
final class AccountVault {
    private final AccountTable table;
    private final TokenSealer sealer;
    private final KnownSecrets known;

    AccountVault(AccountTable table, TokenSealer sealer, KnownSecrets known) {
        this.table = table;
        this.sealer = sealer;
        this.known = known;
    }

    /**
     * A decrypted account.
     *
     * @param redirectUri the redirect URI with which the token was obtained; other instances may have another
     */
    record OpenAccount(StoredToken token, URI redirectUri) {}

    /** Decrypts the secrets of an account; empty if they were encrypted with another key or for another account. */
    Optional<OpenAccount> open(StoredAccount account) {
        Optional<OpenAccount> opened = sealer.open(
                        account.token(), tokenPlace(account.tenant(), account.server(), account.subject()))
                .map(AccountVault::readToken);
        opened.ifPresent(found -> learn(account.tenant(), account.server(), account.subject(), found.token()));
        return opened;
    }

    SealedBytes seal(OpenAccount account, TenantId tenant, ServerName server, String subject) {
        StoredToken token = account.token();
        learn(tenant, server, subject, token);
        ObjectNode json = Json.MAPPER
                .createObjectNode()
                .put("server", token.server())
                .put("resource", token.resource())
                .put("issuer", token.issuer())
                .put("client_id", token.clientId())
                .put("access_token", token.accessToken())
                .put("refresh_token", token.refreshToken())
                .put("redirect_uri", account.redirectUri().toString());
        Instant end = token.expiresAt();
        json.put("expires_at", end == null ? null : end.toString());
        token.scopes().forEach(json.putArray("scopes")::add);
        return sealer.seal(json.toString(), tokenPlace(tenant, server, subject));
    }

    // The issuer, which the server names, may have chosen any text.
    private void learn(TenantId tenant, ServerName server, String subject, StoredToken token) {
        known.learn(
                tenant,
                server.value(),
                "account " + subject,
                Stream.of(token.accessToken(), token.refreshToken())
                        .filter(Objects::nonNull)
                        .toList());
    }

    private static OpenAccount readToken(String text) {
        JsonNode json = Json.MAPPER.readTree(text);
        String end = optional(json, "expires_at");
        StoredToken token = new StoredToken(
                required(json, "server"),
                required(json, "resource"),
                required(json, "issuer"),
                required(json, "client_id"),
                required(json, "access_token"),
                optional(json, "refresh_token"),
                end == null ? null : Instant.parse(end),
                scopes(json));
        return new OpenAccount(token, URI.create(required(json, "redirect_uri")));
    }

    private static List<String> tokenPlace(TenantId tenant, ServerName server, String subject) {
        return List.of("token", tenant.value(), server.value(), subject);
    }

    SealedBytes seal(PendingAuthorization pending, TenantId tenant, ServerName server, String subject) {
        ObjectNode json = Json.MAPPER
                .createObjectNode()
                .put("page", pending.page().toString())
                .put("state", pending.state())
                .put("verifier", pending.verifier())
                .put("issuer", pending.issuer())
                .put("client_id", pending.clientId())
                .put("resource", pending.resource())
                .put("redirect_uri", pending.redirectUri().toString());
        pending.scopes().forEach(json.putArray("scopes")::add);
        return sealer.seal(json.toString(), pendingPlace(tenant, server, subject));
    }

    Optional<PendingAuthorization> pending(AccountRequest request) {
        return sealer.open(request.pending(), pendingPlace(request.tenant(), request.server(), request.subject()))
                .map(text -> {
                    JsonNode json = Json.MAPPER.readTree(text);
                    return new PendingAuthorization(
                            URI.create(required(json, "page")),
                            required(json, "state"),
                            required(json, "verifier"),
                            required(json, "issuer"),
                            required(json, "client_id"),
                            required(json, "resource"),
                            URI.create(required(json, "redirect_uri")),
                            scopes(json));
                });
    }

    private static List<String> pendingPlace(TenantId tenant, ServerName server, String subject) {
        return List.of("pending", tenant.value(), server.value(), subject);
    }

    /** The gate's registration with an authorization server; null if there is none. */
    @Nullable
    RegisteredClient client(TenantId tenant, ServerName server, String issuer, URI redirectUri) {
        RegisteredClient found = table.client(tenant, issuer, redirectUri.toString())
                .flatMap(stored -> open(stored, tenant, issuer, redirectUri))
                .orElse(null);
        return found == null ? null : learned(tenant, server, found);
    }

    private RegisteredClient learned(TenantId tenant, ServerName server, RegisteredClient client) {
        String secret = client.secret();
        if (secret != null) {
            known.learn(tenant, server.value(), "client " + client.clientId(), List.of(secret));
        }
        return client;
    }

    private Optional<RegisteredClient> open(SealedBytes stored, TenantId tenant, String issuer, URI redirectUri) {
        return sealer.open(stored, clientPlace(tenant, issuer, redirectUri)).map(text -> {
            JsonNode json = Json.MAPPER.readTree(text);
            String end = optional(json, "expires_at");
            return new RegisteredClient(
                    issuer,
                    required(json, "client_id"),
                    optional(json, "client_secret"),
                    optional(json, "method"),
                    end == null ? null : Instant.parse(end));
        });
    }

    /** Stores a registration, unless there is one that can be decrypted; returns the one in force. */
    RegisteredClient keep(TenantId tenant, ServerName server, URI redirectUri, RegisteredClient client) {
        Instant end = client.expiresAt();
        ObjectNode json = Json.MAPPER
                .createObjectNode()
                .put("client_id", client.clientId())
                .put("client_secret", client.secret())
                .put("method", client.method())
                .put("expires_at", end == null ? null : end.toString());
        SealedBytes stored = table.keepClient(
                tenant,
                client.issuer(),
                redirectUri.toString(),
                sealer.seal(json.toString(), clientPlace(tenant, client.issuer(), redirectUri)));
        return open(stored, tenant, client.issuer(), redirectUri)
                .map(found -> learned(tenant, server, found))
                .orElseThrow(() -> new Unavailable("The registration at " + client.issuer() + " was changed.", null));
    }

    /** Deletes a registration, unless there is another one now. */
    void forget(TenantId tenant, URI redirectUri, RegisteredClient client) {
        table.client(tenant, client.issuer(), redirectUri.toString())
                .filter(stored -> open(stored, tenant, client.issuer(), redirectUri)
                        .filter(client::equals)
                        .isPresent())
                .ifPresent(stored -> table.forgetClient(tenant, client.issuer(), redirectUri.toString(), stored));
    }

    private static List<String> clientPlace(TenantId tenant, String issuer, URI redirectUri) {
        return List.of("client", tenant.value(), issuer, redirectUri.toString());
    }

    private static Set<String> scopes(JsonNode json) {
        Set<String> scopes = new LinkedHashSet<>();
        json.path("scopes").forEach(scope -> scopes.add(scope.asString("")));
        return scopes;
    }

    private static String required(JsonNode json, String field) {
        return json.path(field).asString("");
    }

    private static @Nullable String optional(JsonNode json, String field) {
        JsonNode value = json.path(field);
        return value.isString() ? value.stringValue() : null;
    }
}
