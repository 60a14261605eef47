package dev.toolgate.core.artifact;

import dev.toolgate.core.digest.Sha256;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/** The form in which names of tenants and workspaces reach a disk or a bucket: nothing that somebody chose. */
public final class NameHash {
    private NameHash() {}

    /** The hash of a name, in hexadecimal digits; different names have different ones. */
    public static String of(String name) {
        // Char by char: an encoder would give two names with different broken characters the same bytes.
        ByteBuffer chars = ByteBuffer.allocate(name.length() * Character.BYTES);
        chars.asCharBuffer().put(name);
        return HexFormat.of().formatHex(Sha256.of(chars.array()));
    }
}
