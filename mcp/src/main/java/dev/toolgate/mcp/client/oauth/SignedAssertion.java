package dev.toolgate.mcp.client.oauth;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.MGF1ParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.security.spec.PSSParameterSpec;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Signs the assertions with which a client authenticates by its private key (RFC 7523). */
public final class SignedAssertion {
    private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
    private static final Duration LIFE = Duration.ofMinutes(5);
    private static final SecureRandom RANDOM = new SecureRandom();

    private SignedAssertion() {}

    /** An assertion of a client about itself, for one authorization server. */
    static String of(ClientAuthentication.SigningKey client, String audience, Clock clock)
            throws GeneralSecurityException {
        long now = clock.instant().getEpochSecond();
        ObjectNode header = JsonNodeFactory.instance.objectNode();
        header.put("alg", client.algorithm()).put("typ", "JWT");
        ObjectNode claims = JsonNodeFactory.instance.objectNode();
        claims.put("iss", client.clientId())
                .put("sub", client.clientId())
                .put("aud", audience)
                .put("jti", random())
                .put("iat", now)
                .put("exp", now + LIFE.toSeconds());
        String signed = part(header) + "." + part(claims);
        Signature signature = signature(client.algorithm());
        signature.initSign(client.key());
        signature.update(signed.getBytes(StandardCharsets.US_ASCII));
        return signed + "." + BASE64.encodeToString(signature.sign());
    }

    /** An unguessable string of 43 characters. */
    static String random() {
        byte[] bytes = new byte[32];
        RANDOM.nextBytes(bytes);
        return BASE64.encodeToString(bytes);
    }

    private static String part(ObjectNode json) {
        return BASE64.encodeToString(json.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static Signature signature(String algorithm) throws GeneralSecurityException {
        return switch (algorithm) {
            case "ES256" -> Signature.getInstance("SHA256withECDSAinP1363Format");
            case "ES384" -> Signature.getInstance("SHA384withECDSAinP1363Format");
            case "RS256" -> Signature.getInstance("SHA256withRSA");
            case "PS256" -> {
                Signature pss = Signature.getInstance("RSASSA-PSS");
                pss.setParameter(new PSSParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, 32, 1));
                yield pss;
            }
            case "EdDSA" -> Signature.getInstance("EdDSA");
            default ->
                throw new GeneralSecurityException(
                        "The algorithm " + algorithm + " is not supported; use ES256, ES384, RS256, PS256 or EdDSA.");
        };
    }

    /** Reads a private key from PEM text (PKCS #8). */
    public static PrivateKey key(String pem) throws GeneralSecurityException {
        String base64 = pem.replaceAll("-----[A-Z ]+-----", "").replaceAll("\\s", "");
        PKCS8EncodedKeySpec encoded;
        try {
            encoded = new PKCS8EncodedKeySpec(Base64.getDecoder().decode(base64));
        } catch (IllegalArgumentException malformed) {
            throw new GeneralSecurityException("The key is not PEM of PKCS #8.", malformed);
        }
        GeneralSecurityException last = null;
        for (String kind : List.of("EC", "RSA", "EdDSA")) {
            try {
                return KeyFactory.getInstance(kind).generatePrivate(encoded);
            } catch (GeneralSecurityException another) {
                last = another;
            }
        }
        throw new GeneralSecurityException("The key is neither EC nor RSA nor EdDSA in PKCS #8.", last);
    }
}
