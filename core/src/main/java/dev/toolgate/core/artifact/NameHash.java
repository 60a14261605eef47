package dev.toolgate.core.artifact;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The form in which names of tenants and workspaces reach a disk or a bucket: nothing that somebody chose. */
public final class NameHash {
    private NameHash() {}

    /** The hash of a name, in hexadecimal digits; different names have different ones. */
    public static String of(String name) {
        // Char by char: an encoder would give two names with different broken characters the same bytes.
        ByteBuffer chars = ByteBuffer.allocate(name.length() * Character.BYTES);
        chars.asCharBuffer().put(name);
        return HexFormat.of().formatHex(sha256().digest(chars.array()));
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java has SHA-256.", impossible);
        }
    }
}
