package dev.toolgate.mcp.client.oauth;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The {@code WWW-Authenticate} challenge of a server for bearer tokens.
 *
 * @param resourceMetadata the URL of the server's resource metadata; null if not given
 * @param scopes that the request needs; empty if not given
 * @param error null if there was no token
 */
record BearerChallenge(
        @Nullable String resourceMetadata,
        Set<String> scopes,
        @Nullable String error) {
    private static final int MAX_LENGTH = 8 << 10;
    private static final Pattern SCHEME = Pattern.compile("(?i)(?:^|,)\\s*bearer(?=\\s|,|$)");
    private static final Pattern PARAMETER =
            Pattern.compile("\\G\\s*,?\\s*([A-Za-z0-9_-]+)\\s*=\\s*(?:\"((?:[^\"\\\\]|\\\\.)*+)\"|([^\\s,\"]+))");

    /** Reads the headers; empty if there is no challenge for bearer tokens in them. */
    static BearerChallenge read(List<String> headers) {
        for (String header : headers) {
            Matcher scheme = SCHEME.matcher(header);
            if (header.length() <= MAX_LENGTH && scheme.find()) {
                return of(parameters(header.substring(scheme.end())));
            }
        }
        return new BearerChallenge(null, Set.of(), null);
    }

    private static Map<String, String> parameters(String text) {
        Map<String, String> found = new LinkedHashMap<>();
        Matcher parameter = PARAMETER.matcher(text);
        while (parameter.find()) {
            String quoted = parameter.group(2);
            String value = quoted == null ? parameter.group(3) : quoted.replaceAll("\\\\(.)", "$1");
            found.putIfAbsent(parameter.group(1).toLowerCase(Locale.ROOT), value);
        }
        return found;
    }

    private static BearerChallenge of(Map<String, String> parameters) {
        return new BearerChallenge(
                parameters.get("resource_metadata"), scopes(parameters.get("scope")), parameters.get("error"));
    }

    /** The scopes in a text, in their order. */
    static Set<String> scopes(@Nullable String text) {
        Set<String> scopes = new LinkedHashSet<>();
        if (text != null) {
            for (String scope : text.split(" ", -1)) {
                if (!scope.isBlank()) {
                    scopes.add(scope);
                }
            }
        }
        return scopes;
    }
}
