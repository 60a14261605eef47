package dev.toolgate.server.secret;

import dev.toolgate.store.identity.SealedBytes;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts tokens for the database with AES-256 in Galois/Counter Mode. A ciphertext is bound to its context, such as
 * its row, so that it cannot be decrypted if it is copied elsewhere.
 */
public final class TokenSealer {
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final int KEY_ID_BYTES = 8;
    private static final SecureRandom RANDOM = new SecureRandom();

    private final SecretKey key;
    private final String keyId;

    /**
     * @param secret from the setting or the data folder; at least 32 characters
     */
    public TokenSealer(String secret) {
        this.key = new SecretKeySpec(derived(secret, "toolgate account tokens"), "AES");
        this.keyId = HexFormat.of().formatHex(Arrays.copyOf(derived(secret, "toolgate account key id"), KEY_ID_BYTES));
    }

    // Different bytes for every purpose, none of which reveals the secret.
    private static byte[] derived(String secret, String purpose) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return mac.doFinal(purpose.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Encrypts a text.
     *
     * @param binding the context it is bound to
     */
    public SealedBytes seal(String text, List<String> binding) {
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        try {
            Cipher cipher = cipher(Cipher.ENCRYPT_MODE, nonce, binding);
            byte[] sealed = cipher.doFinal(text.getBytes(StandardCharsets.UTF_8));
            return new SealedBytes(
                    keyId,
                    ByteBuffer.allocate(NONCE_BYTES + sealed.length)
                            .put(nonce)
                            .put(sealed)
                            .array());
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The text; empty if it was encrypted with another key or for another context, or has been changed. */
    public Optional<String> open(SealedBytes sealed, List<String> binding) {
        byte[] bytes = sealed.bytes();
        if (!sealed.keyId().equals(keyId) || bytes.length < NONCE_BYTES) {
            return Optional.empty();
        }
        try {
            Cipher cipher = cipher(Cipher.DECRYPT_MODE, Arrays.copyOf(bytes, NONCE_BYTES), binding);
            byte[] text = cipher.doFinal(bytes, NONCE_BYTES, bytes.length - NONCE_BYTES);
            return Optional.of(new String(text, StandardCharsets.UTF_8));
        } catch (GeneralSecurityException changed) {
            return Optional.empty();
        }
    }

    private Cipher cipher(int mode, byte[] nonce, List<String> binding) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
        for (String part : binding) {
            byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
            // With its length, so that no two contexts have the same bytes.
            cipher.updateAAD(
                    ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
            cipher.updateAAD(bytes);
        }
        return cipher;
    }

    @Override
    public String toString() {
        return "TokenSealer with key " + keyId;
    }
}
