package dev.toolgate.server.identity;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The CSRF token of a console log-in: a MAC made with the log-in's secret, which pages of other sites cannot know and
 * from which the secret cannot be derived.
 */
final class CsrfToken {
    private static final byte[] PURPOSE = "toolgate console csrf".getBytes(StandardCharsets.UTF_8);

    private CsrfToken() {}

    static String of(String session) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(session.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(mac.doFinal(PURPOSE));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static boolean matches(String session, @Nullable String token) {
        return token != null
                && MessageDigest.isEqual(
                        of(session).getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }
}
