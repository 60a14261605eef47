package dev.toolgate.server.identity;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.toolgate.server.identity.TokenCheck.NotAccepted;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.text.ParseException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Date;
import org.jspecify.annotations.Nullable;

/** Checks identity tokens: like every token, and that it was issued for this log-in at this server. */
final class IdTokenCheck implements AutoCloseable {
    private static final int MAX_LENGTH = 8192;
    private static final Duration SKEW = Duration.ofMinutes(1);
    private static final JOSEObjectType ACCESS_TOKEN = new JOSEObjectType("at+jwt");

    private final URI keys;
    private final String clientId;
    private final TokenCheck check;
    private final InstantSource clock;

    /**
     * @param keys where the issuer publishes its keys
     */
    IdTokenCheck(String issuer, URI keys, String clientId, InstantSource clock) {
        this.keys = keys;
        this.clientId = clientId;
        this.check = new TokenCheck(
                new TokenSettings(
                        new TokenSettings.Issuer(issuer, keys), clientId, TokenSettings.ClaimNames.DEFAULT, null),
                clock);
        this.clock = clock;
    }

    /** Whether it uses the keys at this address. */
    boolean uses(URI place) {
        return keys.equals(place);
    }

    /**
     * The claims of a valid token.
     *
     * @param nonce of the log-in
     */
    JWTClaimsSet check(String token, String nonce) throws NotAccepted {
        if (token.length() > MAX_LENGTH) {
            throw new NotAccepted("The identity token is longer than " + MAX_LENGTH + " characters.");
        }
        JWTClaimsSet claims = check.check(token);
        try {
            if (ACCESS_TOKEN.equals(SignedJWT.parse(token).getHeader().getType())) {
                throw new NotAccepted("The provider sent an access token in place of an identity token.");
            }
            String party = claims.getStringClaim("azp");
            if (party == null ? claims.getAudience().size() > 1 : !party.equals(clientId)) {
                throw new NotAccepted("The identity token was issued to another client.");
            }
            if (!isSame(claims.getStringClaim("nonce"), nonce)) {
                throw new NotAccepted("The identity token belongs to another log-in.");
            }
        } catch (ParseException malformed) {
            throw new NotAccepted("The identity token has a claim of the wrong type.");
        }
        Date issued = claims.getIssueTime();
        if (issued == null || issued.toInstant().isAfter(clock.instant().plus(SKEW))) {
            throw new NotAccepted("The issue time of the identity token is missing or in the future.");
        }
        return claims;
    }

    private static boolean isSame(@Nullable String sent, String nonce) {
        return sent != null
                && MessageDigest.isEqual(sent.getBytes(StandardCharsets.UTF_8), nonce.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        check.close();
    }
}
