package dev.toolgate.server.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** An issuer of tokens that publishes its keys on a loopback port. */
final class FakeIssuer implements AutoCloseable {
    static final String NAME = "https://issuer.example";

    private final AtomicInteger fetches = new AtomicInteger();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    private volatile String published = "";
    private volatile Behaviour behaviour = Behaviour.ANSWERS;

    enum Behaviour {
        ANSWERS,
        FAILS,
        STALLS,
        REDIRECTS
    }

    FakeIssuer() throws IOException {
        server.setExecutor(threads);
        server.createContext("/keys", exchange -> {
            fetches.incrementAndGet();
            byte[] body = published.getBytes(StandardCharsets.UTF_8);
            switch (behaviour) {
                case ANSWERS -> {
                    exchange.sendResponseHeaders(200, body.length);
                    exchange.getResponseBody().write(body);
                }
                case FAILS -> exchange.sendResponseHeaders(500, -1);
                case STALLS -> {
                    exchange.sendResponseHeaders(200, body.length);
                    exchange.getResponseBody().write(body, 0, 1);
                    exchange.getResponseBody().flush();
                    untilClosed();
                }
                case REDIRECTS -> {
                    exchange.getResponseHeaders().add("Location", "/elsewhere");
                    exchange.sendResponseHeaders(302, -1);
                }
            }
            exchange.close();
        });
        server.createContext("/elsewhere", exchange -> {
            byte[] body = published.getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    URI address() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/keys");
    }

    int fetches() {
        return fetches.get();
    }

    void behave(Behaviour way) {
        behaviour = way;
    }

    void publish(JWK... keys) {
        published = new JWKSet(List.of(keys)).toString();
    }

    void publishRaw(String text) {
        published = text;
    }

    static RSAKey rsaKey(String id) throws JOSEException {
        return new RSAKeyGenerator(2048).keyID(id).generate();
    }

    static ECKey ecKey(String id) throws JOSEException {
        return new ECKeyGenerator(Curve.P_256).keyID(id).generate();
    }

    static String sign(JWK key, JWTClaimsSet claims) throws JOSEException {
        JWSAlgorithm algorithm = key instanceof RSAKey ? JWSAlgorithm.RS256 : JWSAlgorithm.ES256;
        JWSSigner signer = key instanceof RSAKey rsa ? new RSASSASigner(rsa) : new ECDSASigner(key.toECKey());
        return signed(new JWSHeader.Builder(algorithm).keyID(key.getKeyID()).build(), claims, signer);
    }

    static String signed(JWSHeader header, JWTClaimsSet claims, JWSSigner signer) throws JOSEException {
        SignedJWT token = new SignedJWT(header, claims);
        token.sign(signer);
        return token.serialize();
    }

    private void untilClosed() {
        try {
            closed.await();
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
