package dev.toolgate.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Credentials;
import dev.toolgate.core.identity.Identity;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.config.PublicAddress;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.wiring.IdentityParts;
import dev.toolgate.store.Database;
import dev.toolgate.store.MigratedDatabase;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens with only the environment variables of the seeds set: the secret and optionally the audience. */
class JwtSecretAloneTest {
    private static final String SECRET = "thirty-two characters or more...";

    @TempDir
    private static Path home;

    private static Database database;

    @BeforeAll
    static void open() throws Exception {
        database = Database.open(MigratedDatabase.fresh());
    }

    @AfterAll
    static void close() throws Exception {
        database.close();
    }

    @Test
    void the_secret_alone_accepts_tokens_for_toolgate() throws Exception {
        try (IdentityParts identity = parts(Map.of("TOOLGATE_JWT_SECRET", SECRET))) {
            assertThat(identify(identity, token("toolgate", "operator", null))).isInstanceOf(Identity.Known.class);
            assertThat(identify(identity, token("another", "operator", null))).isInstanceOf(Identity.Unknown.class);
        }
    }

    @Test
    void the_environment_names_another_audience() throws Exception {
        try (IdentityParts identity =
                parts(Map.of("TOOLGATE_JWT_SECRET", SECRET, "TOOLGATE_JWT_AUDIENCE", "tools.example.com"))) {
            assertThat(identify(identity, token("tools.example.com", "operator", null)))
                    .isInstanceOf(Identity.Known.class);
            assertThat(identify(identity, token("toolgate", "operator", null))).isInstanceOf(Identity.Unknown.class);
        }
    }

    @Test
    void a_short_secret_is_refused() {
        assertThatThrownBy(() -> parts(Map.of("TOOLGATE_JWT_SECRET", "only thirty-one characters here")))
                .hasMessage("TOOLGATE_JWT_SECRET: must have at least 32 characters.");
    }

    @Test
    void a_token_of_a_user_names_the_agents_to_chat_as() throws Exception {
        try (IdentityParts identity = parts(Map.of("TOOLGATE_JWT_SECRET", SECRET))) {
            assertThat(identify(identity, token("toolgate", "user", List.of("a", "b"))))
                    .isInstanceOfSatisfying(Identity.Known.class, known -> {
                        assertThat(known.principal().role()).isEqualTo(Role.USER);
                        assertThat(known.principal().chatsAs()).containsOnly(new AgentId("a"), new AgentId("b"));
                    });
            assertThat(identify(identity, token("toolgate", "user", null))).isInstanceOf(Identity.Unknown.class);
            assertThat(identify(identity, token("toolgate", "user", List.of(7))))
                    .isInstanceOf(Identity.Unknown.class);
        }
    }

    private static IdentityParts parts(Map<String, String> environment) {
        Map<String, String> options = new TreeMap<>(Map.of("home", home.toString()));
        return IdentityParts.of(
                ServerSettings.load(null, environment, options).auth(),
                database,
                new PublicAddress(null),
                Clock.systemUTC());
    }

    private static Identity identify(IdentityParts identity, String token) {
        return identity.authenticator()
                .identify(new Credentials("Bearer " + token, null, null, Credentials.Kind.READS, "192.0.2.1"));
    }

    private static String token(String audience, String role, @Nullable List<?> agents) throws Exception {
        SignedJWT token = new SignedJWT(
                new JWSHeader(JWSAlgorithm.HS256),
                new JWTClaimsSet.Builder()
                        .subject("ada")
                        .audience(audience)
                        .claim("tenant", "default")
                        .claim("role", role)
                        .claim("agent_id", agents)
                        .expirationTime(Date.from(Instant.now().plusSeconds(600)))
                        .build());
        token.sign(new MACSigner(SECRET));
        return token.serialize();
    }
}
