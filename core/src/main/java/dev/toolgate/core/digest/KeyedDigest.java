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
 * HMAC-SHA-256 with a key of the server. Whoever has the text can have it compared; whoever has only the digest cannot try
 * out what the text may have been.
 */
public final class KeyedDigest {
    /** How many bytes a key has. */
    public static final int KEY_BYTES = 32;

    private static final ObjectWriter SORTED = Json.MAPPER.writer().with(JsonNodeFeature.WRITE_PROPERTIES_SORTED);
    private static final String ALGORITHM = "HmacSHA256";
    private static final int ID_DIGITS = 8;

    private final SecretKeySpec key;
    /** Never given any text, only copied. */
    private final Mac keyed;

    private final String name;

    /**
     * @throws IllegalArgumentException if the key is too short
     */
    public KeyedDigest(byte[] key) {
        if (key.length < KEY_BYTES) {
            throw new IllegalArgumentException("The key of digests must have at least " + KEY_BYTES + " bytes.");
        }
        this.key = new SecretKeySpec(key, ALGORITHM);
        this.keyed = with(this.key);
        // Which key it was is known by the digest of a fixed text, not by the key's own.
        this.name = "hmac-sha256:" + HexFormat.of().formatHex(digest("key id")).substring(0, ID_DIGITS) + ":";
    }

    /** The digest of a text in UTF-8, with its kind and which key it was made with before it. */
    public String of(String text) {
        return name + HexFormat.of().formatHex(digest(text));
    }

    /**
     * The digest of JSON, whatever the order of its fields and the blanks between them; {@code null} for what a program
     * has nested so deep that it cannot be written.
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
            // Looking the algorithm up and giving it the key takes longer than copying one that has it.
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
            throw new IllegalStateException("Every Java has " + ALGORITHM + ".", impossible);
        }
    }
}
