package dev.toolgate.server.wiring;

import dev.toolgate.core.digest.KeyedDigest;
import dev.toolgate.server.config.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The key of the argument digests. It is not in the database, because anyone who can read records there could otherwise
 * brute-force masked values.
 */
final class DigestKey {
    private DigestKey() {}

    /**
     * @throws IOException if the file is invalid
     */
    static KeyedDigest of(@Nullable Secret setting, Path home) throws IOException {
        String key = GeneratedKey.of(
                setting, home.resolve("digest.key"), "whose digests cannot be compared with those of earlier records");
        return new KeyedDigest(key.getBytes(StandardCharsets.UTF_8));
    }
}
