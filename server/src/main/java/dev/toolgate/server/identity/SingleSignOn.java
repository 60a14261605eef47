package dev.toolgate.server.identity;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.Unavailable;
import dev.toolgate.core.digest.Sha256;
import dev.toolgate.core.identity.Identity;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.mcp.client.http.HttpExchanger;
import dev.toolgate.mcp.client.oauth.OpenIdClient;
import dev.toolgate.mcp.client.oauth.OpenIdProvider;
import dev.toolgate.mcp.client.oauth.PendingAuthorization;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import dev.toolgate.server.config.PublicAddress;
import dev.toolgate.server.identity.ConsoleCookie.Channel;
import dev.toolgate.server.identity.TokenCheck.NotAccepted;
import dev.toolgate.store.identity.LoginRequest;
import dev.toolgate.store.identity.LoginRequests;
import dev.toolgate.store.identity.People;
import dev.toolgate.store.identity.SecretDigest;
import dev.toolgate.store.identity.SecretText;
import dev.toolgate.store.identity.StoredPerson;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs people in through an OpenID Connect provider. The request is stored in the database, so that the browser may be
 * redirected back to any instance. It contains nothing that could be misused: verifier and nonce are derived from a
 * secret that only the browser keeps.
 */
public final class SingleSignOn implements AutoCloseable {
    /** The path of the redirect back from the provider. */
    public static final String CALLBACK = "/auth/oidc/callback";

    private static final Logger LOG = LoggerFactory.getLogger(SingleSignOn.class);
    private static final String AFTER_SIGN_OUT = "/console/login";
    private static final String KIND = "single sign-on";
    private static final Duration LOGIN_TIMEOUT = Duration.ofMinutes(10);
    private static final Duration METADATA_MAX_AGE = Duration.ofMinutes(5);
    private static final int MAX_AT_ONCE = 16;
    private static final int MAX_WAIT_SECONDS = 5;
    private static final int MAX_STATE = 100;
    private static final int MAX_TOKEN_IN_URL = 4_000;

    private final OpenIdClient client;
    private final Set<String> scopes;
    private final PersonClaims claims;
    private final GroupRoles roles;
    private final Predicate<TenantId> exists;
    private final LoginRequests requests;
    private final People people;
    private final ConsoleLogins logins;
    private final PublicAddress address;
    private final FailureDelay delay;
    private final InstantSource clock;
    private final HttpExchanger connections;
    private final Semaphore permits = new Semaphore(MAX_AT_ONCE);
    private @Nullable Discovered discovered;
    private @Nullable IdTokenCheck check;

    /**
     * The provider through which people log in.
     *
     * @param groupsClaim the claim with the groups of a person
     * @param nameClaim the claim that names a person in records
     * @param connections the client's connections, closed with this object
     */
    public record Provider(
            OpenIdClient client, Set<String> scopes, String groupsClaim, String nameClaim, HttpExchanger connections) {}

    /**
     * @param exists whether a tenant exists
     */
    public SingleSignOn(
            Provider provider,
            GroupRoles roles,
            Predicate<TenantId> exists,
            LoginRequests requests,
            People people,
            ConsoleLogins logins,
            PublicAddress address,
            FailureDelay delay,
            InstantSource clock) {
        this.client = provider.client();
        this.scopes = provider.scopes();
        this.claims = new PersonClaims(provider.groupsClaim(), provider.nameClaim());
        this.connections = provider.connections();
        this.roles = roles;
        this.exists = exists;
        this.requests = requests;
        this.people = people;
        this.logins = logins;
        this.address = address;
        this.delay = delay;
        this.clock = clock;
    }

    private record Discovered(OpenIdProvider provider, Instant at) {}

    /**
     * A log-in that has been started.
     *
     * @param page the provider's page to redirect the browser to
     * @param setCookie the {@code Set-Cookie} header for the browser
     */
    public record Begun(URI page, String setCookie) {
        @Override
        public String toString() {
            return "Begun";
        }
    }

    /**
     * A completed log-in.
     *
     * @param returnTo the page to redirect the browser to
     */
    public record Finished(StoredPerson person, LoginResult.Done login, String returnTo) {}

    /**
     * The redirect of a browser back from the provider.
     *
     * @param address the URL with the provider's parameters
     * @param browser the secret in the browser's cookie
     * @param former the browser's former log-in, which ends
     */
    public record Return(
            URI address,
            String state,
            String browser,
            @Nullable String former,
            String remoteAddress) {
        /** Whether the provider sent an error instead of a code. */
        boolean isRefusal() {
            String query = "&" + address.getRawQuery();
            return query.contains("&error=") && !query.contains("&code=");
        }

        @Override
        public String toString() {
            return "Return";
        }
    }

    /**
     * Starts a log-in.
     *
     * @param returnTo the page to redirect the browser to afterwards, which must be a {@link ReturnAddress}
     */
    public Begun begin(String returnTo, String remoteAddress) throws SignOnRefused {
        URI callback = callback();
        String browser = SecretText.CONSOLE_LOGIN.generate();
        PendingAuthorization pending = atProvider(() ->
                client.begin(provider(), callback, scopes, derived("verifier", browser), derived("nonce", browser)));
        requests.begin(new LoginRequest(
                SecretDigest.of(pending.state()),
                SecretDigest.of(browser),
                RemoteAddress.network(remoteAddress),
                pending.issuer(),
                pending.clientId(),
                callback,
                returnTo,
                clock.instant().plus(LOGIN_TIMEOUT)));
        return new Begun(pending.page(), SignOnCookie.holding(browser, callback));
    }

    /** The redirect URI. */
    public URI callback() throws SignOnRefused {
        return address.of(CALLBACK)
                .orElseThrow(() -> new SignOnRefused(
                        SignOnProblem.UNREACHABLE, "The public address of the gate is unknown; set http.public_url."));
    }

    /** Takes the pending log-in of a browser; it cannot be used again, whatever the result. */
    public LoginRequest take(Return back) throws SignOnRefused {
        boolean plausible =
                back.state().length() <= MAX_STATE && SecretText.CONSOLE_LOGIN.hasValidChecksum(back.browser());
        Optional<LoginRequest> taken = plausible
                ? requests.take(SecretDigest.of(back.state()), SecretDigest.of(back.browser()))
                : Optional.empty();
        return taken.orElseThrow(() -> new SignOnRefused(
                SignOnProblem.ENDED, "This browser has no pending log-in for this response, or it has expired."));
    }

    /** Completes a log-in with the provider's response. */
    public Finished finish(LoginRequest request, Return back) throws SignOnRefused {
        try {
            Finished finished = identified(request, back);
            delay.counted(
                    KIND,
                    back.remoteAddress(),
                    new Identity.Known(finished.login().session().principal()));
            return finished;
        } catch (SignOnRefused refused) {
            Identity counted = refused.problem() == SignOnProblem.UNREACHABLE
                    ? new Identity.Unknown("")
                    : delay.counted(KIND, back.remoteAddress(), new Identity.Unknown(""));
            if (counted instanceof Identity.SlowedDown) {
                throw new SignOnRefused(SignOnProblem.SLOWED_DOWN, "Too many log-ins have failed from this address.");
            }
            throw refused.problem() == SignOnProblem.NOT_VALID && back.isRefusal()
                    ? new SignOnRefused(SignOnProblem.DECLINED, String.valueOf(refused.getMessage()))
                    : refused;
        }
    }

    private Finished identified(LoginRequest request, Return back) throws SignOnRefused {
        if (!request.clientId().equals(client.clientId()) || !request.issuer().equals(roles.issuer())) {
            throw new SignOnRefused(SignOnProblem.ENDED, "The provider's settings were changed during the log-in.");
        }
        PendingAuthorization pending = new PendingAuthorization(
                request.redirectUri(),
                back.state(),
                derived("verifier", back.browser()),
                request.issuer(),
                request.clientId(),
                "",
                request.redirectUri(),
                scopes);
        PersonClaims.Person person;
        OpenIdClient.Tokens tokens;
        try {
            OpenIdProvider provider = atProvider(this::provider);
            tokens = atProvider(() -> client.finish(provider, pending, back.address()));
            JWTClaimsSet token = check(provider).check(tokens.idToken(), derived("nonce", back.browser()));
            boolean asked = claims.lackSomething(token) && client.hasUserInfo(provider);
            person = claims.of(token, asked ? atProvider(() -> client.userInfo(provider, tokens)) : null);
        } catch (NotAccepted wrong) {
            throw new SignOnRefused(SignOnProblem.NOT_VALID, wrong.reason(), null, wrong);
        } catch (Unavailable unreachable) {
            throw new SignOnRefused(
                    SignOnProblem.UNREACHABLE, String.valueOf(unreachable.getMessage()), null, unreachable);
        }
        return admitted(request, back, person, tokens.idToken());
    }

    private Finished admitted(LoginRequest request, Return back, PersonClaims.Person person, String idToken)
            throws SignOnRefused {
        GroupRoles.Entry entry = roles.first(person.groups()).orElse(null);
        if (entry == null || !exists.test(entry.tenant())) {
            throw new SignOnRefused(
                    SignOnProblem.NO_ROLE,
                    entry == null
                            ? "None of the groups of the person has a role in auth.oidc.roles."
                            : "auth.oidc.roles names the tenant '" + entry.tenant() + "', which does not exist.",
                    new SignOnRefused.Who(Principal.FIRST_TENANT, person.name()),
                    null);
        }
        StoredPerson stored = people.loggedIn(
                entry.tenant(),
                person.issuer(),
                person.subject(),
                person.name(),
                person.displayName(),
                clock.instant());
        Channel channel = SignOnCookie.isSecure(request.redirectUri()) ? Channel.TLS : Channel.PLAIN;
        return switch (logins.logIn(stored, roles.counting(person.groups()), idToken, back.former(), channel)) {
            case LoginResult.Done done -> new Finished(stored, done, request.returnTo());
            case LoginResult.Refused _ ->
                throw new SignOnRefused(SignOnProblem.NO_ROLE, "The person no longer has the role.");
        };
    }

    /** The provider's page on which the person also signs out there; empty if it has none. */
    public Optional<URI> signOutPage(String session) {
        return logins.idToken(session).flatMap(this::endSession);
    }

    // Signing out here must work even if the provider is unavailable.
    private Optional<URI> endSession(String idToken) {
        try {
            URI page = atProvider(this::provider).endSession();
            if (page == null) {
                return Optional.empty();
            }
            StringBuilder query = new StringBuilder(page.getRawQuery() == null ? "?" : "&")
                    .append("client_id=")
                    .append(encoded(client.clientId()));
            if (idToken.length() <= MAX_TOKEN_IN_URL) {
                query.append("&id_token_hint=").append(encoded(idToken));
            }
            address.of(AFTER_SIGN_OUT).ifPresent(back -> query.append("&post_logout_redirect_uri=")
                    .append(encoded(back.toString())));
            return Optional.of(URI.create(page.toString() + query));
        } catch (SignOnRefused unreachable) {
            LOG.warn(
                    "A person was signed out here only, because the provider is unavailable: {}",
                    unreachable.getMessage());
            return Optional.empty();
        }
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Derives a value from the browser's secret, which the value does not reveal. */
    private static String derived(String purpose, String browser) {
        byte[] digest = Sha256.of((purpose + " of " + browser).getBytes(StandardCharsets.UTF_8));
        return Base64.getUrlEncoder().withoutPadding().encodeToString(digest);
    }

    @FunctionalInterface
    private interface Question<T> {
        T ask() throws McpFailure;
    }

    /** Sends a request to the provider; concurrency is limited, because anyone can start a log-in. */
    private <T> T atProvider(Question<T> question) throws SignOnRefused {
        try {
            if (!permits.tryAcquire(MAX_WAIT_SECONDS, TimeUnit.SECONDS)) {
                throw new SignOnRefused(SignOnProblem.UNREACHABLE, "Too many log-ins at the same time.");
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new SignOnRefused(SignOnProblem.UNREACHABLE, "The server is stopping.", null, stopped);
        }
        try {
            return question.ask();
        } catch (McpFailure failed) {
            SignOnProblem problem =
                    failed.kind() == McpFailureKind.UNAUTHORIZED ? SignOnProblem.NOT_VALID : SignOnProblem.UNREACHABLE;
            throw new SignOnRefused(problem, String.valueOf(failed.getMessage()), null, failed);
        } finally {
            permits.release();
        }
    }

    /** The provider's metadata, cached for a few minutes. */
    private OpenIdProvider provider() throws McpFailure {
        Discovered known = known();
        if (known != null && clock.instant().isBefore(known.at().plus(METADATA_MAX_AGE))) {
            return known.provider();
        }
        try {
            Discovered fresh = new Discovered(client.discover(), clock.instant());
            keep(fresh);
            return fresh.provider();
        } catch (McpFailure unusable) {
            throw new McpFailure(McpFailureKind.UNREACHABLE, String.valueOf(unusable.getMessage()), unusable);
        }
    }

    private synchronized @Nullable Discovered known() {
        return discovered;
    }

    private synchronized void keep(Discovered fresh) {
        discovered = fresh;
    }

    private synchronized IdTokenCheck check(OpenIdProvider provider) {
        IdTokenCheck current = check;
        if (current == null || !current.uses(provider.keys())) {
            if (current != null) {
                current.close();
            }
            current = new IdTokenCheck(provider.issuer(), provider.keys(), client.clientId(), clock);
            check = current;
        }
        return current;
    }

    @Override
    public synchronized void close() {
        if (check != null) {
            check.close();
        }
        connections.close();
    }
}
