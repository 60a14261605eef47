package dev.toolgate.server.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.Client;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import dev.toolgate.store.identity.SecretText;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A stranger sends wrong credentials from an address shared by all clients, as behind a proxy. */
class LockoutTest {
    private static final String SECRET = "the secret of tokens, forty characters..";
    private static final String ADMIN = "Zk3-9fQ0vT7x_aL2mWq8";
    private static final int TRIES = 30;

    @TempDir
    private static Path home;

    private static RunningServer server;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home, Map.of("auth.jwt.secret", SECRET, "auth.admin_key", ADMIN));
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @BeforeEach
    void a_stranger_fails_with_every_kind_of_credential() throws Exception {
        String forged = token("a secret that the server does not know", "operator");
        for (int i = 0; i < TRIES; i++) {
            attempt(server.withKey(SecretText.API_KEY.generate()));
            attempt(server.withKey("tg_" + "0".repeat(48) + (i % 10)));
            attempt(server.withKey("a guess at the key of the admin, number " + i));
            attempt(server.withKey(forged));
            attempt(server.anonymous().with("Cookie", "toolgate_session=" + SecretText.CONSOLE_LOGIN.generate()));
        }
        // The first failure after a delay is checked again, and begins the next delay, which is longer.
        await("the stranger is told to wait")
                .until(() -> server.withKey(SecretText.API_KEY.generate())
                                .get("/api/v1/whoami")
                                .status()
                        == 429);
    }

    private static void attempt(Client stranger) {
        assertThat(stranger.get("/api/v1/whoami").status()).isIn(401, 429);
    }

    @Test
    void a_key_used_for_the_first_time_is_not_locked_out_by_a_stranger() {
        String key = server.key(RunningServer.FIRST, Role.OPERATOR, null);

        assertThat(server.withKey(key).get("/api/v1/whoami").status()).isEqualTo(200);
    }

    @Test
    void a_token_used_for_the_first_time_is_not_locked_out_by_a_stranger() throws Exception {
        Reply reply = server.withKey(token(SECRET, "operator")).get("/api/v1/whoami");

        assertThat(reply.status()).as(reply.toString()).isEqualTo(200);
    }

    @Test
    void the_admin_key_of_the_setting_is_not_locked_out_by_a_stranger() {
        assertThat(server.withKey(ADMIN).get("/api/v1/whoami").status()).isEqualTo(200);
    }

    @Test
    void a_console_log_in_is_not_locked_out_by_a_stranger() {
        String key = server.key(RunningServer.FIRST, Role.AUDITOR, null);
        Reply in = server.anonymous().post("/api/v1/console/session", "{\"key\": \"" + key + "\"}");

        assertThat(in.status()).as(in.toString()).isEqualTo(200);
        String cookie = in.header("Set-Cookie").orElseThrow().split(";", -1)[0];
        assertThat(server.anonymous()
                        .with("Cookie", cookie)
                        .get("/api/v1/whoami")
                        .status())
                .isEqualTo(200);
    }

    private static String token(String secret, String role) throws Exception {
        SignedJWT token = new SignedJWT(
                new JWSHeader(JWSAlgorithm.HS256),
                new JWTClaimsSet.Builder()
                        .subject("ada")
                        .audience("toolgate")
                        .claim("tenant", "default")
                        .claim("role", role)
                        .expirationTime(Date.from(Instant.now().plusSeconds(600)))
                        .build());
        token.sign(new MACSigner(secret));
        return token.serialize();
    }
}
