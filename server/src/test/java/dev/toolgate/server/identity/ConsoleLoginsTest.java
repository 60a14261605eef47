package dev.toolgate.server.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.identity.Credentials;
import dev.toolgate.core.identity.Credentials.Kind;
import dev.toolgate.core.identity.Identity;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.identity.ConsoleCookie.Channel;
import dev.toolgate.store.identity.CreatedKey;
import dev.toolgate.store.identity.SecretText;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConsoleLoginsTest {
    private static final Pattern SET_COOKIE = Pattern.compile(
            "toolgate_session=([^;]+); Path=/; Max-Age=43200; " + "HttpOnly; SameSite=Strict(; Secure)?");

    private IdentityFixture instance;
    private CreatedKey operator;

    @BeforeEach
    void open() throws Exception {
        instance = IdentityFixture.open();
        operator = instance.key(Role.OPERATOR, null);
    }

    @AfterEach
    void close() throws Exception {
        instance.close();
    }

    @Test
    void a_log_in_with_a_key_is_valid_on_every_instance() throws Exception {
        Session session = logIn(null);
        Principal expected =
                Principal.of(IdentityFixture.ACME, Role.OPERATOR, operator.key().principal(), null);

        assertThat(session.open().principal()).isEqualTo(expected);
        assertThat(reads(session.cookie())).isEqualTo(new Identity.Known(expected));
        assertThat(changes(session.cookie(), session.csrf())).isEqualTo(new Identity.Known(expected));
        try (IdentityFixture other = IdentityFixture.openAnother()) {
            Credentials credentials = new Credentials(null, session.cookie(), session.csrf(), Kind.CHANGES, "::1");
            assertThat(other.chain().identify(credentials)).isEqualTo(new Identity.Known(expected));
            assertThat(other.sessions().current(session.cookie(), "::1")).contains(session.open());
        }
    }

    @Test
    void the_cookie_is_secure_over_tls_or_always_if_configured() {
        ConsoleCookie sometimes = new ConsoleCookie(ConsoleCookie.Secure.WHEN_SENT_BY_TLS);
        ConsoleCookie always = new ConsoleCookie(ConsoleCookie.Secure.ALWAYS);

        assertThat(sometimes.holding("x", Duration.ofHours(12), Channel.PLAIN))
                .matches(SET_COOKIE)
                .doesNotContain("Secure");
        assertThat(sometimes.holding("x", Duration.ofHours(12), Channel.TLS)).endsWith("; Secure");
        assertThat(always.holding("x", Duration.ofHours(12), Channel.PLAIN)).endsWith("; Secure");
        assertThat(always.forgetting(Channel.PLAIN))
                .isEqualTo("toolgate_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure");
    }

    @Test
    void a_change_without_the_csrf_token_of_the_log_in_is_refused() {
        Session mine = logIn(null);
        Session another = logIn(null);
        for (int i = 0; i < 20; i++) {
            assertThat(changes(mine.cookie(), null)).isInstanceOf(Identity.Unknown.class);
            assertThat(changes(mine.cookie(), another.csrf())).isInstanceOf(Identity.Unknown.class);
            assertThat(changes(mine.cookie(), mine.cookie())).isInstanceOf(Identity.Unknown.class);
        }

        assertThat(changes(mine.cookie(), mine.csrf())).isInstanceOf(Identity.Known.class);
    }

    @Test
    void a_planted_cookie_is_not_adopted_at_log_in() {
        String planted = SecretText.CONSOLE_LOGIN.generate();

        Session session = logIn(planted);

        assertThat(session.cookie()).isNotEqualTo(planted);
        assertThat(reads(planted)).isInstanceOf(Identity.Unknown.class);
    }

    @Test
    void logging_in_again_ends_the_earlier_log_in() {
        Session before = logIn(null);
        Session after = logIn(before.cookie());

        assertThat(reads(before.cookie())).isInstanceOf(Identity.Unknown.class);
        assertThat(reads(after.cookie())).isInstanceOf(Identity.Known.class);
    }

    @Test
    void the_cookie_is_invalid_after_logging_out() {
        Session session = logIn(null);

        assertThat(instance.sessions().logOut(session.cookie(), Channel.PLAIN)).contains("Max-Age=0");

        assertThat(reads(session.cookie())).isInstanceOf(Identity.Unknown.class);
        assertThat(instance.sessions().current(session.cookie(), IdentityFixture.HOME))
                .isEmpty();
    }

    @Test
    void log_ins_end_at_once_when_their_key_is_revoked_or_expires() {
        Session session = logIn(null);
        instance.sql("UPDATE api_keys SET expires_at = now() - interval '1 hour'");
        assertThat(reads(session.cookie())).isInstanceOf(Identity.Unknown.class);
        instance.sql("UPDATE api_keys SET expires_at = NULL");
        assertThat(reads(session.cookie())).isInstanceOf(Identity.Known.class);

        instance.keys().revoke(IdentityFixture.ACME, operator.key().id(), "root");

        assertThat(reads(session.cookie())).isInstanceOf(Identity.Unknown.class);
    }

    @Test
    void an_open_stream_does_not_keep_a_log_in_alive() {
        Session session = logIn(null);
        instance.clock().advance(Duration.ofMinutes(40));
        assertThat(listens(session.cookie())).isInstanceOf(Identity.Known.class);
        instance.clock().advance(Duration.ofMinutes(40));

        assertThat(listens(session.cookie())).isInstanceOf(Identity.Unknown.class);
    }

    @Test
    void a_log_in_ends_after_an_hour_without_use() {
        Session used = logIn(null);
        Session idle = logIn(null);
        instance.clock().advance(Duration.ofMinutes(40));
        assertThat(reads(used.cookie())).isInstanceOf(Identity.Known.class);
        instance.clock().advance(Duration.ofMinutes(40));

        assertThat(reads(used.cookie())).isInstanceOf(Identity.Known.class);
        assertThat(reads(idle.cookie())).isInstanceOf(Identity.Unknown.class);
    }

    @Test
    void a_log_in_ends_after_twelve_hours_in_any_case() {
        Session session = logIn(null);
        for (int i = 0; i < 23; i++) {
            instance.clock().advance(Duration.ofMinutes(30));
            assertThat(reads(session.cookie())).isInstanceOf(Identity.Known.class);
        }
        instance.clock().advance(Duration.ofMinutes(31));

        assertThat(reads(session.cookie())).isInstanceOf(Identity.Unknown.class);
    }

    @Test
    void the_authorization_header_takes_precedence_over_the_cookie() {
        CreatedKey auditor = instance.key(Role.AUDITOR, null);
        Session session = logIn(null);

        Credentials both = new Credentials(
                "Bearer " + auditor.text(), session.cookie(), session.csrf(), Kind.CHANGES, IdentityFixture.HOME);
        assertThat(instance.chain().identify(both)).isInstanceOfSatisfying(Identity.Known.class, known -> assertThat(
                        known.principal().role())
                .isEqualTo(Role.AUDITOR));
        Credentials wrong =
                new Credentials("Bearer nonsense", session.cookie(), session.csrf(), Kind.READS, IdentityFixture.HOME);
        assertThat(instance.chain().identify(wrong)).isInstanceOf(Identity.Unknown.class);
    }

    @Test
    void only_a_good_key_logs_in_and_guessing_is_slowed_down() {
        String address = "203.0.113.77";
        for (int i = 0; i < 10; i++) {
            assertThat(instance.sessions().logIn("let-me-in-please-" + i, null, Channel.PLAIN, address))
                    .isInstanceOfSatisfying(LoginResult.Refused.class, refused -> assertThat(refused.reason())
                            .isInstanceOf(Identity.Unknown.class));
        }

        assertThat(instance.sessions().logIn("let-me-in-please", null, Channel.PLAIN, address))
                .isInstanceOfSatisfying(LoginResult.Refused.class, refused -> assertThat(refused.reason())
                        .isInstanceOf(Identity.SlowedDown.class));
        assertThat(instance.sessions().logIn("eyJ.a.b", null, Channel.PLAIN, IdentityFixture.HOME))
                .isInstanceOf(LoginResult.Refused.class);
    }

    @Test
    void forged_cookies_are_delayed_and_do_not_lock_out_others() {
        Session good = logIn(null);
        assertThat(reads(good.cookie())).isInstanceOf(Identity.Known.class);
        for (int i = 0; i < 10; i++) {
            assertThat(reads(SecretText.CONSOLE_LOGIN.generate())).isInstanceOf(Identity.Unknown.class);
        }

        assertThat(reads(SecretText.CONSOLE_LOGIN.generate())).isInstanceOf(Identity.SlowedDown.class);
        assertThat(reads(good.cookie())).isInstanceOf(Identity.Known.class);
    }

    @Test
    void neither_cookies_nor_keys_are_stored_or_printed() {
        Session session = logIn(null);

        String rows = instance.database().jdbi().withHandle(handle -> handle.createQuery(
                        "SELECT (SELECT string_agg(s::text, ' ') FROM console_sessions s)"
                                + " || (SELECT string_agg(k::text, ' ') FROM api_keys k)")
                .mapTo(String.class)
                .one());
        assertThat(rows).doesNotContain(session.cookie(), session.csrf(), operator.text());
        assertThat(operator.toString() + session.open() + new LoginResult.Done(session.open(), session.cookie()))
                .doesNotContain(session.cookie(), session.csrf(), operator.text());
    }

    private Session logIn(@Nullable String former) {
        LoginResult answer = instance.sessions().logIn(operator.text(), former, Channel.PLAIN, IdentityFixture.HOME);
        assertThat(answer).isInstanceOf(LoginResult.Done.class);
        LoginResult.Done done = (LoginResult.Done) answer;
        Matcher cookie = SET_COOKIE.matcher(done.setCookie());
        assertThat(cookie.matches()).isTrue();
        return new Session(cookie.group(1), done.session());
    }

    private Identity listens(String cookie) {
        return instance.chain().identify(new Credentials(null, cookie, null, Kind.LISTENS, IdentityFixture.HOME));
    }

    private Identity reads(String cookie) {
        return instance.chain().identify(new Credentials(null, cookie, null, Kind.READS, IdentityFixture.HOME));
    }

    private Identity changes(String cookie, @Nullable String csrfToken) {
        return instance.chain().identify(new Credentials(null, cookie, csrfToken, Kind.CHANGES, IdentityFixture.HOME));
    }

    private record Session(String cookie, ConsoleLogin open) {
        String csrf() {
            return open.csrfToken();
        }
    }
}
