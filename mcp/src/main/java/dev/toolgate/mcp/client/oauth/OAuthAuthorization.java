package dev.toolgate.mcp.client.oauth;

import dev.toolgate.mcp.client.http.HttpExchanger;
import dev.toolgate.mcp.client.http.ServerAuthorization;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Tokens for one server: obtained as its first refusal says, refreshed before they expire, and requested again with
 * more scopes when the server requires them. A token is sent only to its server, and a refresh token only to its
 * issuer.
 */
public final class OAuthAuthorization implements ServerAuthorization {
    private static final Duration EARLY = Duration.ofSeconds(30);
    private static final String JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
    private static final String EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
    private static final String ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";
    private static final String ID_JAG = "urn:ietf:params:oauth:token-type:id-jag";

    private final OAuthSettings settings;
    private final OAuthHttp http;
    private final OAuthStore store;
    private final ClientRegistration registration;
    private final Clock clock;
    private final String key;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile @Nullable StoredToken token;
    private volatile BearerChallenge lastChallenge = new BearerChallenge(null, Set.of(), null);

    public OAuthAuthorization(OAuthSettings settings, HttpExchanger exchanger, OAuthStore store, Clock clock) {
        this.settings = settings;
        this.http = new OAuthHttp(exchanger, settings.check());
        this.store = store;
        this.registration = new ClientRegistration(http, store, clock);
        this.clock = clock;
        this.key = settings.server().toString();
        this.token = store.token(key);
    }

    @Override
    public Map<String, String> headers() throws McpFailure {
        StoredToken current = token;
        if (current != null && hasExpired(current)) {
            current = refreshed(current);
        }
        return current == null ? Map.of() : header(current);
    }

    private static Map<String, String> header(StoredToken token) {
        return Map.of("Authorization", "Bearer " + token.accessToken());
    }

    private boolean hasExpired(StoredToken current) {
        Instant end = current.expiresAt();
        return end != null && clock.instant().plus(EARLY).isAfter(end);
    }

    private @Nullable StoredToken refreshed(StoredToken old) throws McpFailure {
        lock.lock();
        try {
            StoredToken current = token;
            if (!old.equals(current)) {
                return current;
            }
            StoredToken fresh = refresh(old);
            token = fresh;
            return fresh;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public @Nullable String renew(Refusal refusal) throws McpFailure {
        BearerChallenge challenge = BearerChallenge.read(refusal.challenges());
        lock.lock();
        try {
            lastChallenge = challenge;
            StoredToken current = token;
            if (current != null && !refusal.used().equals(header(current))) {
                return null; // another call has renewed the token
            }
            if (refusal.status() == 403 && !"insufficient_scope".equals(challenge.error())) {
                return "it forbids the request regardless of the token";
            }
            if (refusal.status() == 403 && current != null && current.scopes().containsAll(challenge.scopes())) {
                return "it requires scopes that were already requested for the token";
            }
            if (refusal.status() == 401 && current != null && refusal.attempt() == 1) {
                ProtectedResource named = resource(challenge);
                StoredToken fresh =
                        settings.issuer().among(named.issuers()).equals(current.issuer()) ? refresh(current) : null;
                if (fresh != null) {
                    token = fresh;
                    return null;
                }
            }
            return obtain(tokenRequest(challenge, current)) ? null : "a person has to authorize the access first";
        } finally {
            lock.unlock();
        }
    }

    private ProtectedResource resource(BearerChallenge challenge) throws McpFailure {
        return ProtectedResource.discover(http, settings.server(), challenge.resourceMetadata());
    }

    private TokenRequest tokenRequest(BearerChallenge challenge, @Nullable StoredToken current) throws McpFailure {
        ProtectedResource resource = resource(challenge);
        IssuerMetadata issuer = IssuerMetadata.discover(http, settings.issuer().among(resource.issuers()));
        Set<String> scopes = new LinkedHashSet<>(settings.scopes());
        if (current != null && current.issuer().equals(issuer.issuer())) {
            scopes.addAll(current.scopes());
        }
        scopes.addAll(challenge.scopes().isEmpty() ? resource.scopes() : challenge.scopes());
        Set<String> supported = issuer.list("scopes_supported");
        if (settings.grant() instanceof OAuthGrant.AuthorizationCode
                && supported != null
                && supported.contains("offline_access")) {
            scopes.add("offline_access");
        }
        return new TokenRequest(resource, issuer, scopes);
    }

    /** Obtains a token; false if a person must authorize it and there is no prompt. */
    private boolean obtain(TokenRequest request) throws McpFailure {
        return switch (settings.grant()) {
            case OAuthGrant.AuthorizationCode code -> {
                AuthorizationPrompt prompt = code.prompt();
                if (prompt == null) {
                    yield false;
                }
                PendingAuthorization pending = begin(code, request);
                finish(code, pending, request.metadata(), ask(prompt, pending));
                yield true;
            }
            case OAuthGrant.ClientCredentials own -> {
                grant(request, form("client_credentials", request), own.client());
                yield true;
            }
            case OAuthGrant.JwtBearer bearer -> {
                Map<String, String> form = form(JWT_BEARER, request);
                form.put("assertion", bearer.assertion().get());
                grant(request, form, bearer.client());
                yield true;
            }
            case OAuthGrant.TokenExchange exchange -> {
                Map<String, String> form = form(EXCHANGE, request);
                form.put("requested_token_type", ACCESS_TOKEN);
                subject(form, exchange.subject());
                grant(request, form, exchange.client());
                yield true;
            }
            case OAuthGrant.IdentityAssertion identity -> {
                Map<String, String> form = form(JWT_BEARER, request);
                form.put("assertion", identityAssertion(request, identity));
                grant(request, form, identity.client());
                yield true;
            }
        };
    }

    private String identityAssertion(TokenRequest request, OAuthGrant.IdentityAssertion identity) throws McpFailure {
        Map<String, String> form = form(EXCHANGE, request);
        form.put("requested_token_type", ID_JAG);
        form.put("audience", request.issuer());
        subject(form, identity.subject());
        return new TokenEndpoint(http, clock, identity.provider(), null, null)
                .ask(form, identity.atProvider(), null)
                .orFail()
                .accessToken();
    }

    private static void subject(Map<String, String> form, OAuthGrant.SubjectToken subject) {
        form.put("subject_token", subject.value().get());
        form.put("subject_token_type", subject.type());
    }

    private static Map<String, String> form(String type, TokenRequest request) {
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", type);
        form.put("resource", request.resource().resource());
        if (!request.scopes().isEmpty()) {
            form.put("scope", String.join(" ", request.scopes()));
        }
        return form;
    }

    private void grant(TokenRequest request, Map<String, String> form, ClientAuthentication client) throws McpFailure {
        TokenEndpoint.Granted granted = TokenEndpoint.of(http, clock, request.metadata())
                .ask(form, client, null)
                .orFail();
        keep(issued(
                granted, request.resource().resource(), request.issuer(), client.clientId(), request.scopes(), null));
    }

    private static URI ask(AuthorizationPrompt prompt, PendingAuthorization pending) throws McpFailure {
        try {
            return prompt.authorize(pending.page());
        } catch (IOException failed) {
            throw new McpFailure(
                    McpFailureKind.UNAUTHORIZED, "The authorization was not given: " + failed.getMessage(), failed);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new McpFailure(McpFailureKind.CANCELLED, "The call was cancelled while a person was asked.", stopped);
        }
    }

    /** Begins the authorization by a person, as the server's last refusal requires. */
    public PendingAuthorization begin() throws McpFailure {
        return begin(requiredAuthorization());
    }

    /** What a person has to authorize, as the server's last refusal says. */
    public TokenRequest requiredAuthorization() throws McpFailure {
        return tokenRequest(lastChallenge, token);
    }

    /** Begins the authorization of a request, which may come from another client of the same server. */
    public PendingAuthorization begin(TokenRequest request) throws McpFailure {
        return begin(codeGrant(), request);
    }

    private PendingAuthorization begin(OAuthGrant.AuthorizationCode code, TokenRequest request) throws McpFailure {
        StoredToken last = store.token(key);
        ClientRegistration.Known client = registration.known(
                request.metadata(), code.identity(), code.redirectUri(), last == null ? null : last.issuer());
        AuthorizationCodeFlow.requireChallenge(request.metadata());
        return AuthorizationCodeFlow.begin(
                http,
                request.metadata(),
                client.client(),
                request.resource().resource(),
                code.redirectUri(),
                request.scopes(),
                SignedAssertion.random(),
                Map.of());
    }

    /** Completes an authorization with the URL that the browser was redirected to. */
    public void finish(PendingAuthorization pending, URI redirect) throws McpFailure {
        if (!ProtectedResource.covers(pending.resource(), settings.server())) {
            throw new McpFailure(McpFailureKind.UNAUTHORIZED, "The authorization is for another server.");
        }
        lock.lock();
        try {
            finish(codeGrant(), pending, IssuerMetadata.discover(http, pending.issuer()), redirect);
        } finally {
            lock.unlock();
        }
    }

    private void finish(
            OAuthGrant.AuthorizationCode code, PendingAuthorization pending, IssuerMetadata issuer, URI redirect)
            throws McpFailure {
        Map<String, String> form = AuthorizationCodeFlow.codeGrant(pending, issuer, redirect);
        ClientRegistration.Known client = registration.knownAs(pending.issuer(), pending.clientId(), code.identity());
        if (client == null) {
            throw new McpFailure(
                    McpFailureKind.UNAUTHORIZED, "The client registration of the authorization no longer exists.");
        }
        TokenEndpoint.Answer answer = TokenEndpoint.of(http, clock, issuer).ask(form, client.client(), client.method());
        forgetClientIfUnknown(answer, pending.issuer(), pending.clientId());
        TokenEndpoint.Granted granted = answer.orFail();
        keep(issued(granted, pending.resource(), pending.issuer(), pending.clientId(), pending.scopes(), null));
    }

    /**
     * Revokes a token at its issuer, where supported (RFC 7009).
     *
     * @return false if the issuer does not support it
     */
    public boolean revoke(StoredToken unneeded) throws McpFailure {
        IssuerMetadata issuer = IssuerMetadata.discover(http, unneeded.issuer());
        ClientRegistration.Known client = registration.knownAs(
                unneeded.issuer(), unneeded.clientId(), codeGrant().identity());
        if (issuer.text("revocation_endpoint") == null || client == null) {
            return false;
        }
        TokenEndpoint endpoint = TokenEndpoint.ofRevocation(http, clock, issuer);
        String refresh = unneeded.refreshToken();
        if (refresh != null) {
            endpoint.revoke(refresh, "refresh_token", client.client(), client.method());
        }
        endpoint.revoke(unneeded.accessToken(), "access_token", client.client(), client.method());
        return true;
    }

    private OAuthGrant.AuthorizationCode codeGrant() {
        if (settings.grant() instanceof OAuthGrant.AuthorizationCode code) {
            return code;
        }
        throw new IllegalStateException("This client does not use the authorization code grant.");
    }

    /** A new token for the refresh token; null if none can be had. A token that can never be renewed is removed. */
    private @Nullable StoredToken refresh(StoredToken old) throws McpFailure {
        return store.renew(old, () -> refreshNow(old));
    }

    private @Nullable StoredToken refreshNow(StoredToken old) throws McpFailure {
        if (!(settings.grant() instanceof OAuthGrant.AuthorizationCode code)) {
            return null;
        }
        String refresh = old.refreshToken();
        if (refresh == null) {
            return hasExpired(old) ? store.remove(old) : null;
        }
        ClientRegistration.Known client = registration.knownAs(old.issuer(), old.clientId(), code.identity());
        if (client == null) {
            return withoutClient(old, code);
        }
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", "refresh_token");
        form.put("refresh_token", refresh);
        form.put("resource", old.resource());
        TokenEndpoint.Answer answer = TokenEndpoint.of(http, clock, IssuerMetadata.discover(http, old.issuer()))
                .ask(form, client.client(), client.method());
        forgetClientIfUnknown(answer, old.issuer(), old.clientId());
        // Only these refusals say that the token is of no use any more; any other may be a fault of the issuer, or of
        // the client's configuration.
        if (answer instanceof TokenEndpoint.Refused refused
                && (refused.isInvalidGrant()
                        || registration.knownAs(old.issuer(), old.clientId(), code.identity()) == null)) {
            return store.remove(old);
        }
        return store.replace(
                old, issued(answer.orFail(), old.resource(), old.issuer(), old.clientId(), old.scopes(), refresh));
    }

    /**
     * What becomes of a token whose client no longer exists: it is removed if the client was registered dynamically, and
     * kept, unused, if the settings are what has changed, because they may be changed back.
     */
    private @Nullable StoredToken withoutClient(StoredToken old, OAuthGrant.AuthorizationCode code) throws McpFailure {
        if (!ClientRegistration.mayBeConfiguredAgain(old.clientId(), code.identity())) {
            return store.remove(old);
        }
        if (code.prompt() != null) {
            return null; // a person is asked at once
        }
        throw new McpFailure(
                McpFailureKind.UNAUTHORIZED,
                "The token was issued to another client than the configured one, so it cannot be renewed.");
    }

    /** Removes the registration of this client if a refusal says that the issuer does not know it. */
    private void forgetClientIfUnknown(TokenEndpoint.Answer answer, String issuer, String clientId) {
        if (answer instanceof TokenEndpoint.Refused refused && refused.isInvalidClient()) {
            registration.forget(issuer, clientId);
        }
    }

    private void keep(StoredToken obtained) {
        store.save(obtained);
        token = obtained;
    }

    private StoredToken issued(
            TokenEndpoint.Granted granted,
            String resource,
            String issuer,
            String clientId,
            Set<String> scopes,
            @Nullable String oldRefresh) {
        Duration lifetime = granted.lifetime();
        return new StoredToken(
                key,
                resource,
                issuer,
                clientId,
                granted.accessToken(),
                granted.refreshToken() == null ? oldRefresh : granted.refreshToken(),
                lifetime == null ? null : clock.instant().plus(lifetime),
                scopes);
    }
}
