package dev.toolgate.core.artifact;

import dev.toolgate.core.digest.Sha256;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * Hashes names of tenants and workspaces for use in file paths and object keys, so that no user-chosen text gets there.
 */
public final class NameHash {
    private NameHash() {}

    /** The hash of a name in hexadecimal. */
    public static String of(String name) {
        // Char by char: an encoder would map different unpaired surrogates to the same bytes.
        ByteBuffer chars = ByteBuffer.allocate(name.length() * Character.BYTES);
        chars.asCharBuffer().put(name);
        return HexFormat.of().formatHex(Sha256.of(chars.array()));
    }
}
