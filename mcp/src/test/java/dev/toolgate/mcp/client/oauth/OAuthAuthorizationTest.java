package dev.toolgate.mcp.client.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.toolgate.mcp.client.RawHttpServer;
import dev.toolgate.mcp.client.http.EndpointCheck;
import dev.toolgate.mcp.client.http.HttpExchanger;
import dev.toolgate.mcp.client.http.ServerAuthorization.Refusal;
import dev.toolgate.mcp.client.http.SocketConnector;
import dev.toolgate.mcp.client.http.SocketHttpExchanger;
import dev.toolgate.mcp.client.transport.McpFailure;
import dev.toolgate.mcp.client.transport.McpFailureKind;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Token requests to an authorization server on raw sockets: their content, their target and what is refused. */
class OAuthAuthorizationTest {
    private static final URI REDIRECT = URI.create("http://localhost:3000/callback");

    private final HttpExchanger exchanger =
            new SocketHttpExchanger(SocketConnector.ANY, SSLContext.getDefault(), Duration.ofSeconds(5));
    private final InMemoryOAuthStore store = new InMemoryOAuthStore();
    private final MovingClock clock = new MovingClock();
    private final AtomicInteger tokens = new AtomicInteger();
    private volatile @Nullable String refusal;
    private volatile int refusalStatus = 400;
    private volatile String clientSecret = "\"hidden\"";
    private volatile String refreshToken = "\"refresh-%d\"";
    private volatile @Nullable String failing;
    private volatile int failure;
    private volatile long secretExpiresAt;
    private final AtomicInteger registrations = new AtomicInteger();
    private RawHttpServer server;

    OAuthAuthorizationTest() throws NoSuchAlgorithmException {}

    @BeforeEach
    void start() throws IOException {
        server = new RawHttpServer(this::answer);
    }

    @AfterEach
    void stop() throws IOException {
        exchanger.close();
        server.close();
    }

    private void answer(RawHttpServer.Request request, OutputStream out) throws IOException {
        String base = server.url("").toString();
        String path = request.path().replaceFirst("\\?.*", "");
        String unavailable = failing;
        if (unavailable != null && path.startsWith(unavailable)) {
            RawHttpServer.answer(out, failure, "application/json", "{\"error\": \"invalid_grant\"}");
            return;
        }
        switch (path) {
            case "/.well-known/oauth-protected-resource/mcp" ->
                json(out, "{\"resource\": \"" + base + "/mcp\", \"authorization_servers\": [\"" + base + "/as\"]}");
            case "/.well-known/oauth-authorization-server/as" ->
                json(
                        out,
                        "{\"issuer\": \"" + base + "/as\", \"authorization_endpoint\": \"" + base
                                + "/as/authorize\", \"token_endpoint\": \"" + base
                                + "/as/token\", \"registration_endpoint\": \"" + base
                                + "/as/register\", \"revocation_endpoint\": \"" + base
                                + "/as/revoke\", \"code_challenge_methods_supported\": [\"S256\"],"
                                + " \"authorization_response_iss_parameter_supported\": true,"
                                + " \"token_endpoint_auth_methods_supported\": [\"client_secret_post\"]}");
            case "/as/register" ->
                json(
                        out,
                        "{\"client_id\": \"" + (registrations.incrementAndGet() == 1 ? "made" : "made again")
                                + "\", \"client_secret\": " + clientSecret + ", \"client_secret_expires_at\": "
                                + secretExpiresAt + "}");
            case "/as/token" -> {
                String error = refusal;
                if (error == null) {
                    int number = tokens.incrementAndGet();
                    json(
                            out,
                            "{\"access_token\": \"token-" + number + "\", \"token_type\": \"Bearer\","
                                    + " \"expires_in\": 3600, \"refresh_token\": " + refreshToken.formatted(number)
                                    + "}");
                } else {
                    RawHttpServer.answer(out, refusalStatus, "application/json", "{\"error\": \"" + error + "\"}");
                }
            }
            case "/as/revoke" -> json(out, "{}");
            default -> RawHttpServer.answer(out, 404, "text/plain", "");
        }
    }

    private static void json(OutputStream out, String body) throws IOException {
        RawHttpServer.answer(out, 200, "application/json", body);
    }

    private OAuthAuthorization authorization(OAuthGrant grant) {
        return authorization(grant, new TrustedIssuer.NamedByServer());
    }

    private OAuthAuthorization authorization(OAuthGrant grant, TrustedIssuer issuer) {
        return new OAuthAuthorization(
                new OAuthSettings(server.url("/mcp"), EndpointCheck.LOOPBACK_WITHOUT_TLS, grant, Set.of(), issuer),
                exchanger,
                store,
                clock);
    }

    private OAuthGrant byPerson(@Nullable AuthorizationPrompt prompt) {
        return new OAuthGrant.AuthorizationCode(new ClientIdentity(null, null, null, "test"), REDIRECT, prompt);
    }

    private URI agreed(URI page) {
        return URI.create(REDIRECT + "?code=c&state=" + query(page).get("state") + "&iss="
                + OAuthHttp.encode(server.url("/as").toString()));
    }

    private static Map<String, String> query(URI page) {
        return form(page.getRawQuery());
    }

    private static Map<String, String> form(String text) {
        Map<String, String> found = new LinkedHashMap<>();
        for (String pair : text.split("&", -1)) {
            int equals = pair.indexOf('=');
            found.put(pair.substring(0, equals), URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
        }
        return found;
    }

    private List<Map<String, String>> asked() {
        return server.requests().stream()
                .filter(request -> request.path().equals("/as/token"))
                .map(request -> form(request.body()))
                .toList();
    }

    private static Refusal refused(OAuthAuthorization authorization, String challenge) throws McpFailure {
        int status = challenge.contains("insufficient_scope") ? 403 : 401;
        return new Refusal(status, List.of(challenge), authorization.headers(), 1);
    }

    @Test
    void a_person_authorizes_and_the_token_is_sent() throws Exception {
        OAuthAuthorization authorization = authorization(byPerson(this::agreed));
        assertThat(authorization.headers()).isEmpty();

        assertThat(authorization.renew(refused(authorization, "Bearer scope=\"read\"")))
                .isNull();

        assertThat(authorization.headers()).containsEntry("Authorization", "Bearer token-1");
        assertThat(asked()).singleElement().satisfies(form -> assertThat(form)
                .containsEntry("grant_type", "authorization_code")
                .containsEntry("resource", server.url("/mcp").toString())
                .containsEntry("client_id", "made")
                .containsEntry("client_secret", "hidden")
                .containsKey("code_verifier"));
    }

    @Test
    void a_token_is_refreshed_before_it_expires_and_stored() throws Exception {
        OAuthAuthorization authorization = authorization(byPerson(this::agreed));
        authorization.renew(refused(authorization, "Bearer"));
        clock.advance(Duration.ofMinutes(59).plusSeconds(45));

        assertThat(authorization.headers()).containsEntry("Authorization", "Bearer token-2");
        assertThat(asked().getLast())
                .containsEntry("grant_type", "refresh_token")
                .containsEntry("refresh_token", "refresh-1");
        assertThat(authorization(byPerson(null)).headers()).containsEntry("Authorization", "Bearer token-2");
    }

    @Test
    void no_secret_is_sent_to_an_issuer_named_only_by_the_server() throws Exception {
        ClientAuthentication client = new ClientAuthentication.Secret("gate", "hidden");
        Supplier<String> token = () -> "subject-token";
        for (OAuthGrant grant : List.of(
                new OAuthGrant.ClientCredentials(client),
                new OAuthGrant.JwtBearer(client, token),
                new OAuthGrant.TokenExchange(client, new OAuthGrant.SubjectToken("type", token)),
                new OAuthGrant.IdentityAssertion(
                        client, server.url("/as/token"), client, new OAuthGrant.SubjectToken("type", token)),
                byPerson(this::agreed))) {
            OAuthAuthorization authorization =
                    authorization(grant, new TrustedIssuer.Only("https://issuer.example.com"));

            assertThatThrownBy(() -> authorization.renew(refused(authorization, "Bearer")))
                    .isInstanceOf(McpFailure.class)
                    .hasMessageContaining("no secret was sent");
            assertThat(authorization.headers()).isEmpty();
        }
        assertThat(server.requests())
                .extracting(RawHttpServer.Request::path)
                .containsOnly("/.well-known/oauth-protected-resource/mcp");
    }

    @Test
    void the_configured_issuer_gets_the_secret() throws Exception {
        OAuthAuthorization authorization = authorization(
                new OAuthGrant.ClientCredentials(new ClientAuthentication.Secret("gate", "hidden")),
                new TrustedIssuer.Only(server.url("/as").toString()));

        assertThat(authorization.renew(refused(authorization, "Bearer"))).isNull();
        assertThat(asked().getLast()).containsEntry("client_secret", "hidden");
    }

    @Test
    void a_rejected_refresh_token_is_deleted() throws Exception {
        OAuthAuthorization authorization = authorization(byPerson(this::agreed));
        authorization.renew(refused(authorization, "Bearer"));
        clock.advance(Duration.ofHours(2));
        refusal = "invalid_grant";

        assertThat(authorization.headers()).isEmpty();
        assertThat(store.token(server.url("/mcp").toString())).isNull();
    }

    @Test
    void a_configured_secret_is_not_sent_to_an_earlier_issuer() throws Exception {
        StoredToken token = token("gate");
        store.save(token);
        // The administrator has moved the client to another issuer, where it has the same id.
        OAuthAuthorization authorization = authorization(
                new OAuthGrant.AuthorizationCode(
                        new ClientIdentity(
                                new ClientAuthentication.Secret("gate", "new-secret"),
                                "https://new.example.com",
                                null,
                                "test"),
                        REDIRECT,
                        null),
                new TrustedIssuer.Only("https://new.example.com"));

        assertThatThrownBy(authorization::headers).hasMessageContaining("another client");
        assertThat(store.token(token.server())).isEqualTo(token);
        assertThat(authorization.revoke(token)).isFalse();
        assertThat(server.requests())
                .noneMatch(request -> request.body().contains("new-secret"))
                .noneMatch(request -> request.headers().containsKey("authorization"))
                .noneMatch(request -> List.of("/as/token", "/as/revoke").contains(request.path()));
    }

    private static ClientIdentity configured(String id) {
        return new ClientIdentity(new ClientAuthentication.Secret(id, "hidden"), null, null, "test");
    }

    private static ClientIdentity document(String url) {
        return new ClientIdentity(null, null, URI.create(url), "test");
    }

    private OAuthAuthorization as(ClientIdentity identity, @Nullable AuthorizationPrompt prompt) {
        return authorization(new OAuthGrant.AuthorizationCode(identity, REDIRECT, prompt));
    }

    @Test
    void a_token_of_another_client_is_kept_until_that_is_configured_again() throws Exception {
        record Change(String clientId, ClientIdentity before, ClientIdentity after) {}
        for (Change each : List.of(
                new Change("gate", configured("gate"), configured("typo")),
                new Change(
                        "https://gate.example/client",
                        document("https://gate.example/client"),
                        document("https://typo.example/client")))) {
            StoredToken token = token(each.clientId());
            store.save(token);

            McpFailure failure = catchThrowableOfType(
                    McpFailure.class, () -> as(each.after(), null).headers());

            assertThat(failure.kind()).as(each.clientId()).isEqualTo(McpFailureKind.UNAUTHORIZED);
            assertThat(store.token(token.server())).as(each.clientId()).isEqualTo(token);
            assertThat(as(each.before(), null).headers()).as(each.clientId()).isNotEmpty();
        }
    }

    @Test
    void a_person_can_replace_a_token_of_another_client_at_once() throws Exception {
        store.save(token("gate"));
        OAuthAuthorization authorization = as(configured("other"), this::agreed);

        assertThat(authorization.renew(refused(authorization, "Bearer"))).isNull();

        assertThat(asked()).singleElement().satisfies(form -> assertThat(form).containsEntry("client_id", "other"));
    }

    /** An expired token. */
    private StoredToken token(String clientId) {
        return new StoredToken(
                server.url("/mcp").toString(),
                server.url("/mcp").toString(),
                server.url("/as").toString(),
                clientId,
                "access",
                "refresh",
                clock.instant(),
                Set.of());
    }

    @Test
    void a_token_that_can_never_be_renewed_is_removed() throws Exception {
        record Refused(String error, int status) {}
        for (Refused each : List.of(
                new Refused("invalid_grant", 400),
                new Refused("invalid_grant", 200),
                new Refused("bad_refresh_token", 200),
                new Refused("invalid_client", 401))) {
            OAuthAuthorization authorization = authorization(byPerson(this::agreed));
            authorization.renew(refused(authorization, "Bearer"));
            clock.advance(Duration.ofHours(2));
            refusal = each.error();
            refusalStatus = each.status();

            assertThat(authorization.headers()).as(each.toString()).isEmpty();
            assertThat(store.token(server.url("/mcp").toString()))
                    .as(each.toString())
                    .isNull();
            refusal = null;
        }
    }

    @Test
    void a_token_whose_registration_is_gone_is_removed() throws Exception {
        OAuthAuthorization authorization = authorization(byPerson(this::agreed));
        authorization.renew(refused(authorization, "Bearer"));
        clock.advance(Duration.ofHours(2));
        // Another user's refresh has met the same refusal of the client before.
        store.forget(Objects.requireNonNull(store.client(server.url("/as").toString())));

        assertThat(authorization.headers()).isEmpty();
        assertThat(store.token(server.url("/mcp").toString())).isNull();
        assertThat(asked()).hasSize(1);
    }

    @Test
    void an_expired_token_without_a_refresh_token_is_removed() throws Exception {
        refreshToken = "null";
        OAuthAuthorization authorization = authorization(byPerson(this::agreed));
        authorization.renew(refused(authorization, "Bearer"));
        OAuthAuthorization later = authorization(byPerson(null));
        assertThat(later.renew(refused(later, "Bearer"))).contains("a person has to authorize");
        assertThat(store.token(server.url("/mcp").toString())).isNotNull();

        clock.advance(Duration.ofHours(2));

        assertThat(later.headers()).isEmpty();
        assertThat(store.token(server.url("/mcp").toString())).isNull();
    }

    @Test
    void a_refusal_that_may_be_a_fault_of_the_client_keeps_the_token() throws Exception {
        OAuthAuthorization authorization = authorization(byPerson(this::agreed));
        authorization.renew(refused(authorization, "Bearer"));
        clock.advance(Duration.ofHours(2));
        for (int status : List.of(400, 200)) {
            for (String error : List.of("unauthorized_client", "access_denied", "ratelimited")) {
                refusal = error;
                refusalStatus = status;

                assertThatThrownBy(authorization::headers)
                        .hasMessageContaining(error)
                        .isInstanceOfSatisfying(McpFailure.class, failure -> assertThat(failure.kind())
                                .isEqualTo(McpFailureKind.UNAUTHORIZED));
            }
        }

        refusal = null;
        assertThat(authorization.headers()).containsEntry("Authorization", "Bearer token-2");
    }

    @Test
    void a_refresh_token_is_kept_while_the_issuer_fails() throws Exception {
        OAuthAuthorization authorization = authorization(byPerson(this::agreed));
        authorization.renew(refused(authorization, "Bearer"));
        clock.advance(Duration.ofHours(2));
        for (String path : List.of("/.well-known/", "/as/token")) {
            for (int status : List.of(500, 503, 408, 429)) {
                failing = path;
                failure = status;

                McpFailure failed = catchThrowableOfType(McpFailure.class, authorization::headers);

                assertThat(failed.kind()).as(path + " " + status).isEqualTo(McpFailureKind.UNREACHABLE);
            }
        }
        failing = null;
        refusal = "invalid_request";
        assertThatThrownBy(authorization::headers).hasMessageContaining("invalid_request");

        refusal = null;
        assertThat(authorization.headers()).containsEntry("Authorization", "Bearer token-2");
    }

    @Test
    void additional_scopes_are_requested_once_with_earlier_ones() throws Exception {
        OAuthAuthorization authorization = authorization(byPerson(this::agreed));
        authorization.renew(refused(authorization, "Bearer scope=\"read\""));

        assertThat(authorization.renew(refused(authorization, "Bearer error=\"insufficient_scope\", scope=\"write\"")))
                .isNull();
        assertThat(Objects.requireNonNull(store.token(server.url("/mcp").toString()))
                        .scopes())
                .containsExactlyInAnyOrder("read", "write");
        assertThat(authorization.renew(refused(authorization, "Bearer error=\"insufficient_scope\", scope=\"write\"")))
                .contains("already");
        assertThat(asked()).hasSize(2);
    }

    @Test
    void a_refusal_of_an_older_token_requests_no_new_token() throws Exception {
        OAuthAuthorization authorization = authorization(byPerson(this::agreed));
        Refusal first = refused(authorization, "Bearer");
        authorization.renew(first);

        assertThat(authorization.renew(first)).isNull();
        assertThat(asked()).hasSize(1);
    }

    @Test
    void an_authorization_can_be_finished_later() throws Exception {
        OAuthAuthorization first = authorization(byPerson(null));
        assertThat(first.renew(refused(first, "Bearer scope=\"read\""))).contains("a person has to authorize");
        PendingAuthorization pending = first.begin();
        assertThat(query(pending.page()))
                .containsEntry("scope", "read")
                .containsEntry("code_challenge_method", "S256")
                .containsEntry("resource", server.url("/mcp").toString());

        OAuthAuthorization later = authorization(byPerson(null));
        later.finish(pending, agreed(pending.page()));

        assertThat(later.headers()).containsEntry("Authorization", "Bearer token-1");
        assertThat(pending.toString()).doesNotContain(pending.verifier(), pending.state());
    }

    @Test
    void a_redirect_with_another_state_or_issuer_is_refused() throws Exception {
        OAuthAuthorization authorization = authorization(byPerson(null));
        PendingAuthorization pending = authorization.begin();
        URI right = agreed(pending.page());
        for (String wrong : List.of(
                right.toString().replaceFirst("state=[^&]*", "state=other"),
                right.toString().replaceFirst("iss=[^&]*", "iss=https%3A%2F%2Fevil.example"),
                right.toString().replaceFirst("&iss=[^&]*", ""),
                right + "&state=twice",
                right.toString().replaceFirst("code=c", "error=access_denied"))) {
            McpFailure failure =
                    catchThrowableOfType(McpFailure.class, () -> authorization.finish(pending, URI.create(wrong)));
            assertThat(failure.kind()).as(wrong).isEqualTo(McpFailureKind.UNAUTHORIZED);
        }
        assertThat(asked()).isEmpty();
    }

    @Test
    void tokens_are_exchanged() throws Exception {
        OAuthAuthorization authorization = authorization(new OAuthGrant.TokenExchange(
                new ClientAuthentication.Secret("gate", "s"),
                new OAuthGrant.SubjectToken("urn:ietf:params:oauth:token-type:access_token", () -> "theirs")));
        authorization.renew(refused(authorization, "Bearer scope=\"read\""));

        assertThat(authorization.headers()).containsEntry("Authorization", "Bearer token-1");
        assertThat(asked()).singleElement().satisfies(form -> assertThat(form)
                .containsEntry("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange")
                .containsEntry("subject_token", "theirs")
                .containsEntry("scope", "read")
                .containsEntry("client_secret", "s"));
    }

    @Test
    void a_registration_that_expires_or_is_forgotten_is_made_again() throws Exception {
        secretExpiresAt = clock.instant().plus(Duration.ofHours(1)).getEpochSecond();
        OAuthAuthorization authorization = authorization(byPerson(this::agreed));
        authorization.renew(refused(authorization, "Bearer"));
        assertThat(asked().getLast()).containsEntry("client_id", "made");
        assertThat(query(authorization.begin().page())).containsEntry("client_id", "made");

        clock.advance(Duration.ofMinutes(55));
        secretExpiresAt = 0;
        assertThat(query(authorization.begin().page())).containsEntry("client_id", "made again");
        PendingAuthorization pending = authorization.begin();
        refusal = "invalid_client";
        assertThatThrownBy(() -> authorization.finish(pending, agreed(pending.page())))
                .hasMessageContaining("invalid_client");
        assertThat(store.client(pending.issuer())).isNull();

        refusal = null;
        clock.advance(Duration.ofDays(1000));
        PendingAuthorization next = authorization.begin();
        assertThat(registrations.get()).isEqualTo(3);
        authorization.finish(next, agreed(next.page()));
        assertThat(authorization.headers()).isNotEmpty();
    }

    @Test
    void the_registration_of_a_public_client_does_not_expire() throws Exception {
        clientSecret = "null";
        secretExpiresAt = clock.instant().plus(Duration.ofHours(1)).getEpochSecond();
        OAuthAuthorization authorization = authorization(byPerson(this::agreed));
        authorization.renew(refused(authorization, "Bearer"));

        clock.advance(Duration.ofMinutes(55));

        assertThat(query(authorization.begin().page())).containsEntry("client_id", "made");
        assertThat(registrations.get()).isOne();
    }

    @Test
    void a_registration_is_bound_to_its_issuer() {
        OAuthAuthorization authorization = authorization(new OAuthGrant.AuthorizationCode(
                new ClientIdentity(new ClientAuthentication.Secret("mine", "s"), "https://other.example", null, "test"),
                REDIRECT,
                this::agreed));
        McpFailure failure =
                catchThrowableOfType(McpFailure.class, () -> authorization.renew(refused(authorization, "Bearer")));
        assertThat(failure).hasMessageContaining("another authorization server");
        assertThat(asked()).isEmpty();
    }

    @Test
    void metadata_on_another_host_is_not_fetched_without_tls() {
        OAuthAuthorization authorization = authorization(byPerson(this::agreed));
        McpFailure failure = catchThrowableOfType(
                McpFailure.class,
                () -> authorization.renew(
                        refused(authorization, "Bearer resource_metadata=\"http://example.com/metadata\"")));
        assertThat(failure.kind()).isEqualTo(McpFailureKind.ADDRESS_REFUSED);
    }

    @Test
    void a_resource_covers_only_paths_below_it() {
        URI mcp = URI.create("https://a.example/x/mcp");
        assertThat(ProtectedResource.covers("https://a.example/x/mcp", mcp)).isTrue();
        assertThat(ProtectedResource.covers("https://A.example:443/x/", mcp)).isTrue();
        assertThat(ProtectedResource.covers("https://a.example", mcp)).isTrue();
        assertThat(ProtectedResource.covers("https://a.example/x/m", mcp)).isFalse();
        assertThat(ProtectedResource.covers("http://a.example/x/mcp", mcp)).isFalse();
        assertThat(ProtectedResource.covers("https://a.example.evil/x/mcp", mcp))
                .isFalse();
        assertThat(ProtectedResource.covers("https://a.example:8443/x/mcp", mcp))
                .isFalse();
        assertThat(ProtectedResource.covers("not a url", mcp)).isFalse();
    }

    /** A clock that the test advances. */
    private static final class MovingClock extends Clock {
        private Instant now = Instant.parse("2026-11-16T10:00:00Z");

        void advance(Duration time) {
            now = now.plus(time);
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
