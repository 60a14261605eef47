package dev.toolgate.tools.search;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jsoup.Jsoup;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Common parts of search providers: encoding queries and parsing results. */
final class QueryText {
    private static final int MAX_LENGTH = 1000;

    private QueryText() {}

    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    static URI resolve(URI baseUrl, String pathAndQuery) {
        return URI.create(baseUrl.toString().replaceFirst("/+$", "") + pathAndQuery);
    }

    /** Parses a result that has a URL; removes the HTML with which engines highlight words. */
    static Optional<SearchResult> result(JsonNode node, String title, String url, String content) {
        String address = node.path(url).asString("");
        return address.startsWith("http://") || address.startsWith("https://")
                ? Optional.of(new SearchResult(
                        plain(node.path(title).asString("")),
                        bounded(address.strip()),
                        plain(node.path(content).asString("")),
                        score(node)))
                : Optional.empty();
    }

    private static @Nullable Double score(JsonNode node) {
        JsonNode score = node.path("score");
        return score.isNumber() && Double.isFinite(score.doubleValue()) ? score.doubleValue() : null;
    }

    private static String plain(String html) {
        return bounded(Jsoup.parse(html).text());
    }

    private static String bounded(String text) {
        if (text.length() <= MAX_LENGTH) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(MAX_LENGTH - 2)) ? MAX_LENGTH - 2 : MAX_LENGTH - 1;
        return text.substring(0, end) + "…";
    }
}
