package dev.toolgate.store.checkpoint;

import dev.toolgate.core.digest.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The public key of a note signer, in the format {@code name+id+base64} of the signed note specification. */
public final class VerifierKey {
    static final byte ED25519 = 1;
    static final int ID_BYTES = 4;
    private static final int KEY_BYTES = 32;
    private static final Pattern NAME = Pattern.compile("[^\\s+]{1,200}");
    private static final Pattern TEXT = Pattern.compile("([^\\s+]{1,200})\\+([0-9a-f]{8})\\+([A-Za-z0-9+/=]{1,100})");
    /** The DER prefix of an Ed25519 public key, before its 32 bytes. */
    private static final byte[] ENCODING = HexFormat.of().parseHex("302a300506032b6570032100");

    private final String name;
    private final byte[] publicKey;

    /**
     * A named key.
     *
     * @param publicKey its 32 bytes
     */
    public VerifierKey(String name, byte[] publicKey) {
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                    "The name of a signing key must have 1 to 200 characters, without spaces and plus signs.");
        }
        if (publicKey.length != KEY_BYTES) {
            throw new IllegalArgumentException("An Ed25519 public key must have " + KEY_BYTES + " bytes.");
        }
        this.name = name;
        this.publicKey = publicKey.clone();
    }

    static VerifierKey of(String name, PublicKey key) {
        byte[] encoded = key.getEncoded();
        return new VerifierKey(name, Arrays.copyOfRange(encoded, ENCODING.length, encoded.length));
    }

    /**
     * Parses a key.
     *
     * @throws IllegalArgumentException if it is invalid; its message is one sentence for the user
     */
    public static VerifierKey parse(String text) {
        Matcher parts = TEXT.matcher(text.strip());
        if (!parts.matches()) {
            throw new IllegalArgumentException("A checkpoint key must have the format name+id+base64.");
        }
        byte[] typed = Base64.getDecoder().decode(parts.group(3));
        if (typed.length != KEY_BYTES + 1 || typed[0] != ED25519) {
            throw new IllegalArgumentException("The checkpoint key is not an Ed25519 key.");
        }
        VerifierKey key = new VerifierKey(parts.group(1), Arrays.copyOfRange(typed, 1, typed.length));
        if (!key.id().equals(parts.group(2))) {
            throw new IllegalArgumentException("The id of the checkpoint key does not match the key; check for typos.");
        }
        return key;
    }

    public String name() {
        return name;
    }

    /** Eight hexadecimal digits that distinguish keys with the same name. */
    public String id() {
        return HexFormat.of().formatHex(idBytes());
    }

    byte[] idBytes() {
        MessageDigest digest = Sha256.fresh();
        digest.update((name + "\n").getBytes(StandardCharsets.UTF_8));
        digest.update(ED25519);
        return Arrays.copyOf(digest.digest(publicKey), ID_BYTES);
    }

    /** The key in DER format, for OpenSSL. */
    public byte[] encoded() {
        byte[] encoded = Arrays.copyOf(ENCODING, ENCODING.length + KEY_BYTES);
        System.arraycopy(publicKey, 0, encoded, ENCODING.length, KEY_BYTES);
        return encoded;
    }

    boolean verifies(byte[] text, byte[] signature) {
        try {
            Signature check = Signature.getInstance("Ed25519");
            check.initVerify(KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(encoded())));
            check.update(text);
            return check.verify(signature);
        } catch (GeneralSecurityException malformed) {
            return false;
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof VerifierKey key && name.equals(key.name) && Arrays.equals(publicKey, key.publicKey);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(publicKey);
    }

    /** The key in the format of the signed note specification. */
    @Override
    public String toString() {
        byte[] typed = new byte[KEY_BYTES + 1];
        typed[0] = ED25519;
        System.arraycopy(publicKey, 0, typed, 1, KEY_BYTES);
        return name + "+" + id() + "+" + Base64.getEncoder().encodeToString(typed);
    }
}
