package dev.toolgate.server.signon;

import static dev.toolgate.server.signon.SignOnGate.SESSION;
import static dev.toolgate.server.signon.SignOnGate.at;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import dev.toolgate.server.Client;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.wiring.ToolgateServer;
import dev.toolgate.store.identity.SecretText;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What a real provider does not do: forged tokens, mixed-up callbacks, and callbacks in the wrong browser. */
class LyingProviderTest {
    private static final String LOGIN = "/auth/oidc/login";
    private static final String CALLBACK = "/auth/oidc/callback";

    @TempDir
    private static Path home;

    @TempDir
    private static Path otherHome;

    private static LyingProvider provider;
    private static RunningServer gate;

    @BeforeAll
    static void start() throws Exception {
        provider = new LyingProvider();
        gate = RunningServer.start(home, settings());
    }

    private static Map<String, String> settings() {
        return SignOnGate.settings(provider.issuer(), LyingProvider.CLIENT, LyingProvider.SECRET);
    }

    @AfterAll
    static void stop() throws Exception {
        gate.close();
        provider.close();
    }

    /** A success resets the delay that earlier failures have caused. */
    @AfterEach
    void a_valid_token_logs_in() {
        provider.breakDown(false);
        Browser browser = new Browser();
        assertThat(logIn(browser, "root", "platform").location()).isEqualTo(at(gate, "/console/"));
        assertThat(SignOnGate.reading(gate, browser).get("/api/v1/whoami").status())
                .isEqualTo(200);
    }

    private record Begun(String state, String nonce) {}

    private static Begun begin(Browser browser) {
        Map<String, String> asked =
                SignOnGate.query(browser.open(at(gate, LOGIN)).location());
        assertThat(asked).containsEntry("code_challenge_method", "S256").containsKey("code_challenge");
        return new Begun(asked.getOrDefault("state", ""), asked.getOrDefault("nonce", ""));
    }

    private static URI answer(String state) {
        return at(
                gate,
                CALLBACK + "?code=c&state=" + state + "&iss="
                        + URLEncoder.encode(provider.issuer(), StandardCharsets.UTF_8));
    }

    private static Browser.Page logIn(Browser browser, String subject, String group) {
        Begun begun = begin(browser);
        provider.give(
                provider.signed(provider.claims(subject, group, begun.nonce()).build()));
        return browser.open(answer(begun.state()));
    }

    private static URI loginPage(String problem) {
        return at(gate, "/console/login?sign_on=" + problem);
    }

    enum Forgery {
        NONCE_OF_ANOTHER,
        NO_NONCE,
        AUDIENCE_OF_ANOTHER,
        SEVERAL_AUDIENCES,
        PARTY_OF_ANOTHER,
        ISSUER_OF_ANOTHER,
        EXPIRED,
        WITHOUT_EXPIRY,
        ISSUED_LATER,
        NOT_SIGNED,
        SIGNED_WITH_PUBLIC_KEY,
        SIGNED_WITH_CLIENT_SECRET,
        SIGNED_BY_ANOTHER,
        ACCESS_TOKEN,
        WITHOUT_SUBJECT,
        WITHOUT_EMAIL,
        EMAIL_NOT_VERIFIED,
        CUT;

        String token(String nonce) throws Exception {
            JWTClaimsSet.Builder right = provider.claims("forger", "platform", nonce);
            byte[] publicKey = provider.key().toRSAPublicKey().getEncoded();
            return switch (this) {
                case NONCE_OF_ANOTHER ->
                    provider.signed(right.claim("nonce", "n" + nonce).build());
                case NO_NONCE -> provider.signed(right.claim("nonce", null).build());
                case AUDIENCE_OF_ANOTHER ->
                    provider.signed(right.audience("another").build());
                case SEVERAL_AUDIENCES ->
                    provider.signed(right.audience(List.of(LyingProvider.CLIENT, "another"))
                            .build());
                case PARTY_OF_ANOTHER ->
                    provider.signed(right.claim("azp", "another").build());
                case ISSUER_OF_ANOTHER ->
                    provider.signed(right.issuer("https://login.example.com").build());
                case EXPIRED ->
                    provider.signed(right.expirationTime(Date.from(Instant.now().minusSeconds(120)))
                            .build());
                case WITHOUT_EXPIRY ->
                    provider.signed(right.expirationTime(null).build());
                case ISSUED_LATER ->
                    provider.signed(right.issueTime(Date.from(Instant.now().plusSeconds(900)))
                            .build());
                case NOT_SIGNED -> new PlainJWT(right.build()).serialize();
                case SIGNED_WITH_PUBLIC_KEY ->
                    LyingProvider.signed(
                            new JWSHeader.Builder(JWSAlgorithm.HS256)
                                    .keyID("one")
                                    .build(),
                            right.build(),
                            new MACSigner(publicKey));
                case SIGNED_WITH_CLIENT_SECRET ->
                    LyingProvider.signed(
                            new JWSHeader(JWSAlgorithm.HS256),
                            right.build(),
                            new MACSigner(
                                    (LyingProvider.SECRET + LyingProvider.SECRET).getBytes(StandardCharsets.UTF_8)));
                case SIGNED_BY_ANOTHER ->
                    LyingProvider.signed(
                            right.build(),
                            new RSAKeyGenerator(2048).keyID("one").generate(),
                            null);
                case ACCESS_TOKEN -> LyingProvider.signed(right.build(), provider.key(), new JOSEObjectType("at+jwt"));
                case WITHOUT_SUBJECT -> provider.signed(right.subject(null).build());
                case WITHOUT_EMAIL -> provider.signed(right.claim("email", null).build());
                case EMAIL_NOT_VERIFIED ->
                    provider.signed(right.claim("email_verified", false).build());
                case CUT -> provider.signed(right.build()).substring(0, 200);
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_forged_identity_token_does_not_log_in(Forgery forgery) throws Exception {
        Browser browser = new Browser();
        long logins = SignOnGate.rows(gate, "console_sessions");
        provider.tell("{\"sub\": \"forger\"}");
        Begun begun = begin(browser);
        provider.give(forgery.token(begun.nonce()));

        Browser.Page back = browser.open(answer(begun.state()));

        assertThat(back.location()).isEqualTo(loginPage("not_valid"));
        assertThat(browser.cookie(SESSION)).isEmpty();
        assertThat(SignOnGate.rows(gate, "console_sessions")).isEqualTo(logins);
        assertThat(SignOnGate.rows(gate, "people WHERE subject = 'forger'")).isZero();
        JsonNode record = SignOnGate.records(gate).path(0);
        assertThat(record.path("status").asString()).isEqualTo("FAILED");
        assertThat(record.path("principal").asString()).isEqualTo("person:unknown");
    }

    @Test
    void a_callback_of_another_issuer_is_refused() {
        for (String issuer : new String[] {"&iss=https%3A%2F%2Fevil.example", ""}) {
            Browser browser = new Browser();
            Begun begun = begin(browser);
            int exchanges = provider.exchanges();
            URI mixed = at(gate, CALLBACK + "?code=c&state=" + begun.state() + issuer);

            assertThat(browser.open(mixed).location()).isEqualTo(loginPage("not_valid"));
            assertThat(provider.exchanges()).as("the code was not exchanged").isEqualTo(exchanges);
            assertThat(browser.cookie(SESSION)).isEmpty();
        }
    }

    @Test
    void user_info_of_another_subject_is_refused() {
        Browser browser = new Browser();
        Begun begun = begin(browser);
        provider.tell("{\"sub\": \"root\", \"groups\": [\"platform\"]}");
        provider.give(provider.signed(provider.claims("mallory", "x", begun.nonce())
                .claim("groups", null)
                .build()));

        assertThat(browser.open(answer(begun.state())).location()).isEqualTo(loginPage("not_valid"));
        assertThat(browser.cookie(SESSION)).isEmpty();
    }

    @Test
    void a_callback_is_accepted_once_and_only_in_the_same_browser() {
        Browser victim = new Browser();
        Browser attacker = new Browser();
        Begun begun = begin(victim);
        begin(attacker);
        provider.give(provider.signed(
                provider.claims("root", "platform", begun.nonce()).build()));

        assertThat(attacker.open(answer(begun.state())).location()).isEqualTo(loginPage("ended"));
        assertThat(new Browser().open(answer(begun.state())).location()).isEqualTo(loginPage("ended"));
        assertThat(attacker.cookie(SESSION)).isEmpty();

        assertThat(victim.open(answer(begun.state())).location())
                .as("the attempts did not use up the victim's state")
                .isEqualTo(at(gate, "/console/"));
        assertThat(victim.open(answer(begun.state())).location()).isEqualTo(loginPage("ended"));
    }

    @Test
    void a_link_cannot_log_a_victim_in_as_the_attacker() {
        Browser victim = new Browser();
        logIn(victim, "root", "platform");
        String session = victim.cookie(SESSION).orElseThrow();
        Browser attacker = new Browser();
        Begun begun = begin(attacker);
        provider.give(provider.signed(
                provider.claims("mallory", "platform", begun.nonce()).build()));

        assertThat(victim.open(answer(begun.state())).location()).isEqualTo(loginPage("ended"));

        assertThat(victim.cookie(SESSION)).hasValue(session);
        assertThat(SignOnGate.reading(gate, victim)
                        .get("/api/v1/whoami")
                        .json()
                        .path("name")
                        .asString())
                .startsWith("person:root@");
    }

    @Test
    void a_planted_log_in_cookie_is_not_adopted() {
        Browser victim = new Browser();
        String planted = SecretText.CONSOLE_LOGIN.generate();
        victim.plant(at(gate, "/"), SESSION, planted);

        logIn(victim, "root", "platform");

        assertThat(gate.anonymous()
                        .with("Cookie", SESSION + "=" + planted)
                        .get("/api/v1/whoami")
                        .status())
                .isEqualTo(401);
        Browser other = new Browser();
        logIn(other, "root", "platform");
        String former = other.cookie(SESSION).orElseThrow();
        logIn(other, "root", "platform");
        assertThat(other.cookie(SESSION)).isPresent().isNotEqualTo(Optional.of(former));
        assertThat(gate.anonymous()
                        .with("Cookie", SESSION + "=" + former)
                        .get("/api/v1/whoami")
                        .status())
                .isEqualTo(401);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "https://evil.example/",
                "//evil.example/",
                "/\\evil.example/",
                "/console/../\\evil.example",
                "/console//evil.example",
                "/console/%2e%2e//evil.example",
                "/console/%0d%0aSet-Cookie:%20a=b",
                "/console/\r\nSet-Cookie: a=b",
                "javascript:alert(1)",
                "/auth/oidc/login",
                "/api/v1/keys",
                "console/",
                "http:/console/",
                "/consoleevil"
            })
    void a_log_in_does_not_redirect_to_other_sites(String place) {
        Browser browser = new Browser();
        URI login = at(gate, LOGIN + "?return=" + URLEncoder.encode(place, StandardCharsets.UTF_8));
        Browser.Page page = browser.open(login);

        assertThat(page.status()).as(page.toString()).isEqualTo(400);
        assertThat(page.response().headers().firstValue("Location")).isEmpty();
        assertThat(browser.cookie("toolgate_sign_on")).isEmpty();
    }

    @Test
    void an_unavailable_provider_is_reported_with_503() throws Exception {
        Browser browser = new Browser();
        Begun begun = begin(browser);
        provider.breakDown(true);

        Browser.Page back = browser.open(answer(begun.state()));

        assertThat(back.status()).as(back.toString()).isEqualTo(503);
        assertThat(back.text()).contains("cannot be reached now").doesNotContain("127.0.0.1");
        assertThat(browser.cookie(SESSION)).isEmpty();
        // An instance that has not read the metadata yet.
        try (ToolgateServer another = gate.another(otherHome.resolve("down"), settings())) {
            Browser.Page begin = new Browser().open(URI.create(another.url() + LOGIN));
            assertThat(begin.status()).as(begin.toString()).isEqualTo(503);
        }
    }

    @Test
    void any_instance_accepts_the_callback() throws Exception {
        try (ToolgateServer another = gate.another(otherHome.resolve("up"), settings())) {
            Browser browser = new Browser();
            Begun begun = begin(browser);
            provider.give(provider.signed(
                    provider.claims("root", "platform", begun.nonce()).build()));
            URI there = URI.create(answer(begun.state()).toString().replace(gate.url(), another.url()));

            assertThat(browser.open(there).location()).isEqualTo(URI.create(another.url() + "/console/"));
            assertThat(SignOnGate.reading(gate, browser).get("/api/v1/whoami").status())
                    .isEqualTo(200);
            assertThat(browser.open(answer(begun.state())).location()).isEqualTo(loginPage("ended"));
        }
    }

    @Test
    void an_admin_ends_the_log_ins_of_people_of_the_own_tenant_only() {
        Browser foreign = new Browser();
        Browser own = new Browser();
        logIn(foreign, "cleo", "acme-admins");
        logIn(own, "bob", "reviewers");
        Client ofAcme = SignOnGate.loggedIn(gate, foreign);
        JsonNode cleo = ofAcme.get("/api/v1/people?limit=500")
                .json()
                .valueStream()
                .filter(person -> person.path("display_name").asString().equals("The person cleo"))
                .findFirst()
                .orElseThrow();
        String list = gate.admin().get("/api/v1/people?limit=500").text();
        assertThat(list).contains("bob@example.org").doesNotContain("cleo");
        assertThat(ofAcme.get("/api/v1/people").text()).doesNotContain("bob");
        String place = "/api/v1/people/" + cleo.path("person_id").asString() + "/sessions";

        assertThat(gate.admin().delete(place).status()).isEqualTo(404);
        assertThat(ofAcme.get("/api/v1/whoami").status())
                .as("of another tenant")
                .isEqualTo(200);
        assertThat(ofAcme.delete(place + "?reason=left").status()).isEqualTo(204);

        assertThat(ofAcme.get("/api/v1/whoami").status()).isEqualTo(401);
        assertThat(SignOnGate.reading(gate, own).get("/api/v1/whoami").status()).isEqualTo(200);
    }

    @Test
    void a_changed_name_or_email_does_not_change_the_principal() {
        Browser first = new Browser();
        logIn(first, "ada", "platform");
        String name = SignOnGate.reading(gate, first)
                .get("/api/v1/whoami")
                .json()
                .path("name")
                .asString();
        Browser second = new Browser();
        Begun begun = begin(second);
        provider.give(provider.signed(provider.claims("ada", "platform", begun.nonce())
                .claim("email", "root@example.org\u202e#0123456789abcdef")
                .claim("name", "Root\u0000 \u202e")
                .build()));
        second.open(answer(begun.state()));

        JsonNode again =
                SignOnGate.reading(gate, second).get("/api/v1/console/session").json();
        assertThat(again.path("name").asString()).isEqualTo(name);
        assertThat(again.path("display_name").asString()).isEqualTo("Root");
    }

    @Test
    void moving_to_another_tenant_or_to_none_ends_the_log_in() {
        Browser browser = new Browser();
        assertThat(logIn(browser, "mover", "platform").location()).isEqualTo(at(gate, "/console/"));
        Client inFirst = SignOnGate.reading(gate, browser);
        assertThat(logIn(new Browser(), "mover", "acme-admins").location()).isEqualTo(at(gate, "/console/"));
        assertThat(inFirst.get("/api/v1/whoami").status()).as("moved to acme").isEqualTo(401);

        assertThat(logIn(new Browser(), "mover", "gone").location()).isEqualTo(loginPage("no_role"));
    }

    @Test
    void failures_are_delayed_before_they_fill_the_log() {
        assertThat(declined()).isEqualTo(loginPage("declined"));
        URI answer;
        JsonNode before;
        int attempts = 0;
        do {
            before = SignOnGate.records(gate);
            answer = declined();
            attempts++;
        } while (!answer.equals(loginPage("slowed_down")) && attempts < 40);

        assertThat(answer).isEqualTo(loginPage("slowed_down"));
        assertThat(SignOnGate.records(gate)).isEqualTo(before);
    }

    private static URI declined() {
        Browser browser = new Browser();
        String state = begin(browser).state();
        return browser.open(URI.create(answer(state).toString().replace("code=c", "error=access_denied")))
                .location();
    }

    @Test
    void neither_tokens_nor_secrets_of_browsers_are_stored() {
        Browser browser = new Browser();
        Begun begun = begin(browser);
        String token = provider.signed(
                provider.claims("root", "platform", begun.nonce()).build());
        provider.give(token);
        browser.open(answer(begun.state()));
        begin(browser);

        String rows = gate.database().jdbi().withHandle(handle -> handle.createQuery("""
                        SELECT (SELECT string_agg(s::text || encode(coalesce(token_sealed, ''), 'escape'), ' ')
                                FROM console_sessions s)
                            || (SELECT string_agg(r::text, ' ') FROM login_requests r)
                            || (SELECT string_agg(l::text, ' ') FROM tool_audit_logs l)""")
                .mapTo(String.class)
                .one());
        assertThat(rows)
                .contains("person:root@example.org")
                .doesNotContain(
                        token,
                        token.split("\\.")[1],
                        begun.state(),
                        begun.nonce(),
                        browser.cookie("toolgate_sign_on").orElseThrow(),
                        browser.cookie(SESSION).orElseThrow());
    }
}
