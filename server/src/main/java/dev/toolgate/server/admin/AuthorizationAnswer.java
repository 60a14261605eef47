package dev.toolgate.server.admin;

import dev.toolgate.http.routing.Exchange;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;

/** The authorization response: the query parameters of a redirect back from an authorization server. */
public final class AuthorizationAnswer {
    private static final int MAX_PARAMETER = 4_000;
    private static final List<String> READ = List.of("code", "state", "iss", "error");

    private AuthorizationAnswer() {}

    /**
     * The address of the redirect, with the parameters of an authorization response only.
     *
     * @param path of the redirect URI
     */
    public static URI of(Exchange exchange, String path) {
        StringJoiner query = new StringJoiner("&", "?", "");
        for (String name : READ) {
            parameter(exchange, name)
                    .ifPresent(value -> query.add(name + "=" + URLEncoder.encode(value, StandardCharsets.UTF_8)));
        }
        return URI.create(path + query);
    }

    /** A query parameter; empty if it is missing or too long. */
    public static Optional<String> parameter(Exchange exchange, String name) {
        return exchange.query().text(name).filter(value -> value.length() <= MAX_PARAMETER);
    }
}
