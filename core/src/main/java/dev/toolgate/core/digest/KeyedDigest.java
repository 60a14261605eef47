package dev.toolgate.core.digest;

import dev.toolgate.core.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.cfg.JsonNodeFeature;

/**
 * HMAC-SHA-256 with a key of the server: a known text can be compared with a digest, but a digest alone cannot be
 * brute-forced.
 */
public final class KeyedDigest {
    /** The key length. */
    public static final int KEY_BYTES = 32;

    private static final ObjectWriter SORTED = Json.MAPPER.writer().with(JsonNodeFeature.WRITE_PROPERTIES_SORTED);
    private static final String ALGORITHM = "HmacSHA256";
    private static final int ID_DIGITS = 8;

    private final SecretKeySpec key;
    /** Never updated, only cloned. */
    private final Mac keyed;

    private final String name;

    /**
     * @throws IllegalArgumentException if the key is too short
     */
    public KeyedDigest(byte[] key) {
        if (key.length < KEY_BYTES) {
            throw new IllegalArgumentException("The digest key must have at least " + KEY_BYTES + " bytes.");
        }
        this.key = new SecretKeySpec(key, ALGORITHM);
        this.keyed = with(this.key);
        // The key id is the digest of a fixed text, not of the key.
        this.name = "hmac-sha256:" + HexFormat.of().formatHex(digest("key id")).substring(0, ID_DIGITS) + ":";
    }

    /** The digest of a text in UTF-8, prefixed with the algorithm and the key id. */
    public String of(String text) {
        return name + HexFormat.of().formatHex(digest(text));
    }

    /**
     * The digest of JSON, independent of field order and whitespace; {@code null} if it is nested too deep to be
     * written.
     */
    public @Nullable String of(JsonNode json) {
        try {
            return of(SORTED.writeValueAsString(json));
        } catch (JacksonException | StackOverflowError nestedTooDeep) {
            return null;
        }
    }

    private byte[] digest(String text) {
        return fresh().doFinal(text.getBytes(StandardCharsets.UTF_8));
    }

    private Mac fresh() {
        try {
            // Cloning is faster than looking up the algorithm and setting the key.
            return (Mac) keyed.clone();
        } catch (CloneNotSupportedException otherProvider) {
            return with(key);
        }
    }

    private static Mac with(SecretKeySpec key) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac;
        } catch (NoSuchAlgorithmException | InvalidKeyException impossible) {
            throw new IllegalStateException("Every Java platform provides " + ALGORITHM + ".", impossible);
        }
    }
}
