package dev.toolgate.cli.client;

import java.net.URI;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the next page in a {@code Link} header. */
final class NextLink {
    private static final Pattern NEXT = Pattern.compile("<([^>]*)>\\s*;[^,]*\\brel=\"?next\"?");

    private NextLink() {}

    /** Only the path and query are used, so that the key is never sent to another server. */
    static Optional<RequestTarget> of(String header) {
        Matcher link = NEXT.matcher(header);
        if (!link.find()) {
            return Optional.empty();
        }
        URI uri = URI.create(link.group(1));
        return Optional.of(
                new RequestTarget(uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery())));
    }
}
