package dev.toolgate.server.identity;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.proc.SingleKeyJWSKeySelector;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.time.InstantSource;
import java.util.Date;
import java.util.Set;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Verifies a token's signature, audience, issuer and validity period. */
final class TokenCheck implements AutoCloseable {
    private static final int SKEW_SECONDS = 60;
    /** With published keys only public-key algorithms are allowed: HS256 would use the public key as a secret. */
    private static final Set<JWSAlgorithm> PUBLIC_KEY_ALGORITHMS = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512);

    private final DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
    private final @Nullable KeySetDownload download;

    TokenCheck(TokenSettings settings, InstantSource clock) {
        switch (settings.trust()) {
            case TokenSettings.Secret secret -> {
                download = null;
                byte[] bytes = secret.secret().getBytes(StandardCharsets.UTF_8);
                processor.setJWSKeySelector(
                        new SingleKeyJWSKeySelector<>(JWSAlgorithm.HS256, new SecretKeySpec(bytes, "HmacSHA256")));
                processor.setJWTClaimsSetVerifier(new Claims(settings.audience(), secret.issuer(), clock));
            }
            case TokenSettings.Issuer issuer -> {
                download = new KeySetDownload(issuer.keys());
                processor.setJWSKeySelector(
                        new JWSVerificationKeySelector<>(PUBLIC_KEY_ALGORITHMS, new IssuerKeys(download, clock)));
                processor.setJWTClaimsSetVerifier(new Claims(settings.audience(), issuer.issuer(), clock));
            }
        }
        processor.setJWSTypeVerifier(
                new DefaultJOSEObjectTypeVerifier<>(JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
    }

    /** The claims of a valid token. */
    JWTClaimsSet check(String token) throws NotAccepted {
        try {
            return processor.process(token, null);
        } catch (BadJWTException claims) {
            // The signature is valid, so the details may be shown to the bearer.
            throw new NotAccepted("The token is not valid: " + claims.getMessage() + ".");
        } catch (ParseException | BadJOSEException | JOSEException unsigned) {
            throw new NotAccepted("The token is not signed by a trusted issuer.");
        }
    }

    @Override
    public void close() {
        if (download != null) {
            download.close();
        }
    }

    /** A token was rejected. */
    static final class NotAccepted extends Exception {
        private static final long serialVersionUID = 1L;

        NotAccepted(String reason) {
            super(reason, null, false, false);
        }

        String reason() {
            return String.valueOf(getMessage());
        }
    }

    private static final class Claims extends DefaultJWTClaimsVerifier<SecurityContext> {
        private final InstantSource clock;

        Claims(String audience, @Nullable String issuer, InstantSource clock) {
            super(Set.of(audience), exactly(issuer), Set.of("exp"), null);
            this.clock = clock;
            setMaxClockSkew(SKEW_SECONDS);
        }

        private static JWTClaimsSet exactly(@Nullable String issuer) {
            JWTClaimsSet.Builder expected = new JWTClaimsSet.Builder();
            return (issuer == null ? expected : expected.issuer(issuer)).build();
        }

        @Override
        protected Date currentTime() {
            return Date.from(clock.instant());
        }
    }
}
