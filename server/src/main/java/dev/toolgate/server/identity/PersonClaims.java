package dev.toolgate.server.identity;

import com.nimbusds.jwt.JWTClaimsSet;
import dev.toolgate.core.digest.Sha256;
import dev.toolgate.server.identity.TokenCheck.NotAccepted;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads a person from the claims of a provider.
 *
 * @param groups the claim with the groups
 * @param name the claim that names people in records
 */
record PersonClaims(String groups, String name) {
    private static final String EMAIL = "email";
    private static final int MAX_SUBJECT = 255;
    private static final int MAX_LABEL = 70;
    private static final int MAX_DISPLAY_NAME = 200;
    private static final int MAX_GROUPS = 5_000;
    private static final int DIGEST_BYTES = 8;

    /**
     * A person as the provider describes them.
     *
     * @param name for records: readable, with a digest of issuer and subject, which alone identify the person
     */
    record Person(String issuer, String subject, String name, String displayName, Set<String> groups) {}

    /** Whether the identity token lacks a claim that the provider's user info may contain. */
    boolean lackSomething(JWTClaimsSet token) {
        return token.getClaim(groups) == null || token.getClaim(name) == null;
    }

    /**
     * The person of a checked identity token.
     *
     * @param more the provider's user info of the same subject; null if it was not requested
     */
    Person of(JWTClaimsSet token, @Nullable ObjectNode more) throws NotAccepted {
        String subject = String.valueOf(token.getSubject());
        if (more != null && !subject.equals(more.path("sub").asString(""))) {
            throw new NotAccepted("The provider's user info is about another person than the one who logged in.");
        }
        Function<String, @Nullable Object> claims = claim -> {
            Object value = token.getClaim(claim);
            return value == null && more != null ? plain(more.path(claim)) : value;
        };
        if (token.getSubject() == null
                || subject.isBlank()
                || subject.length() > MAX_SUBJECT
                || !subject.chars().allMatch(c -> c >= ' ' && c <= '~')) {
            throw new NotAccepted("The identity token has no valid subject.");
        }
        String label = label(claims.apply(name));
        if (name.equals(EMAIL) && Boolean.FALSE.equals(claims.apply("email_verified"))) {
            throw new NotAccepted("The provider has not verified the e-mail address of the person.");
        }
        String issuer = String.valueOf(token.getIssuer());
        Object display = claims.apply("name");
        return new Person(
                issuer,
                subject,
                "person:" + label + "#" + digest(issuer, subject),
                display instanceof String text && !clean(text).isBlank()
                        ? shortened(clean(text), MAX_DISPLAY_NAME)
                        : label,
                groups(claims.apply(groups)));
    }

    private String label(@Nullable Object value) throws NotAccepted {
        // The separator of the digest must not occur in the label.
        String label = value instanceof String text ? clean(text).replace('#', '_') : "";
        if (label.isBlank()) {
            throw new NotAccepted("The provider did not send the claim '" + name
                    + "', by which people are named; add it to the token, or set auth.oidc.name_claim.");
        }
        return shortened(label, MAX_LABEL);
    }

    private static @Nullable Object plain(JsonNode value) {
        if (value.isString()) {
            return value.stringValue();
        }
        if (value.isBoolean()) {
            return value.booleanValue();
        }
        return value.isArray()
                ? value.valueStream()
                        .filter(JsonNode::isString)
                        .map(JsonNode::stringValue)
                        .toList()
                : null;
    }

    /** One group or a list of them; other values are ignored. */
    private static Set<String> groups(@Nullable Object value) {
        Set<String> groups = new HashSet<>();
        if (value instanceof String one) {
            groups.add(one);
        } else if (value instanceof List<?> list) {
            list.stream().limit(MAX_GROUPS).filter(String.class::isInstance).forEach(one -> groups.add((String) one));
        }
        return groups;
    }

    // Characters that change how others are displayed could make one person look like another.
    private static String clean(String text) {
        StringBuilder clean = new StringBuilder();
        text.codePoints()
                .filter(c -> switch (Character.getType(c)) {
                    case Character.CONTROL,
                            Character.FORMAT,
                            Character.SURROGATE,
                            Character.PRIVATE_USE,
                            Character.UNASSIGNED,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR -> false;
                    default -> true;
                })
                .forEach(clean::appendCodePoint);
        return clean.toString().strip();
    }

    private static String shortened(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max);
    }

    private static String digest(String issuer, String subject) {
        byte[] digest = Sha256.of((issuer + "\n" + subject).getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest, 0, DIGEST_BYTES);
    }
}
