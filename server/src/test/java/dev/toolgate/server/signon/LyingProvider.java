package dev.toolgate.server.signon;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** An identity provider that answers every code with the identity token that the test has set, valid or not. */
public final class LyingProvider implements AutoCloseable {
    public static final String CLIENT = "gate";
    public static final String SECRET = "only-the-gate-knows-this";

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private final AtomicInteger exchanges = new AtomicInteger();
    private final RSAKey key;
    private volatile String idToken = "";
    private volatile String userInfo = "{}";
    private volatile boolean broken;

    /** Starts one, without checked exceptions so that a field can hold it. */
    public static LyingProvider open() {
        try {
            return new LyingProvider();
        } catch (IOException | JOSEException failed) {
            throw new IllegalStateException(failed);
        }
    }

    LyingProvider() throws IOException, JOSEException {
        key = new RSAKeyGenerator(2048).keyID("one").generate();
        server.setExecutor(threads);
        answer("/.well-known/openid-configuration", () -> """
                {"issuer": "%1$s", "authorization_endpoint": "%1$s/authorize", "token_endpoint": "%1$s/token",
                 "jwks_uri": "%1$s/keys", "userinfo_endpoint": "%1$s/userinfo", "end_session_endpoint": "%1$s/bye",
                 "code_challenge_methods_supported": ["S256"], "authorization_response_iss_parameter_supported": true,
                 "token_endpoint_auth_methods_supported": ["client_secret_basic"]}""".formatted(issuer()));
        answer("/keys", () -> new JWKSet(List.of(key.toPublicJWK())).toString());
        answer("/token", () -> {
            exchanges.incrementAndGet();
            return "{\"access_token\": \"at\", \"token_type\": \"Bearer\", \"id_token\": \"" + idToken + "\"}";
        });
        answer("/userinfo", () -> userInfo);
        server.start();
    }

    private interface Body {
        String text();
    }

    private void answer(String path, Body body) {
        server.createContext(path, exchange -> {
            byte[] bytes = body.text().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(broken ? 500 : 200, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
    }

    public String issuer() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    RSAKey key() {
        return key;
    }

    /** How many codes were exchanged. */
    int exchanges() {
        return exchanges.get();
    }

    /** Makes every response an error from now on, or a success again. */
    void breakDown(boolean down) {
        broken = down;
    }

    /** Sets the identity token. */
    public void give(String token) {
        idToken = token;
    }

    /** Sets the response of the user info endpoint. */
    void tell(String json) {
        userInfo = json;
    }

    /** The claims of a valid token. */
    public JWTClaimsSet.Builder claims(String subject, String group, String nonce) {
        return new JWTClaimsSet.Builder()
                .issuer(issuer())
                .subject(subject)
                .audience(CLIENT)
                .issueTime(Date.from(Instant.now()))
                .expirationTime(Date.from(Instant.now().plusSeconds(300)))
                .claim("nonce", nonce)
                .claim("email", subject + "@example.org")
                .claim("name", "The person " + subject)
                .claim("groups", List.of("everybody", group));
    }

    public String signed(JWTClaimsSet claims) {
        return signed(claims, key, null);
    }

    static String signed(JWTClaimsSet claims, RSAKey with, @Nullable JOSEObjectType type) {
        try {
            return signed(
                    new JWSHeader.Builder(JWSAlgorithm.RS256)
                            .keyID(with.getKeyID())
                            .type(type)
                            .build(),
                    claims,
                    new RSASSASigner(with));
        } catch (JOSEException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static String signed(JWSHeader header, JWTClaimsSet claims, JWSSigner signer) throws JOSEException {
        SignedJWT token = new SignedJWT(header, claims);
        token.sign(signer);
        return token.serialize();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
