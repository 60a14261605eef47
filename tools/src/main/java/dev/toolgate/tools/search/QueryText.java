package dev.toolgate.tools.search;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jsoup.Jsoup;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What providers have in common: how questions are written, and how results are read. */
final class QueryText {
    private static final int LONGEST = 1000;

    private QueryText() {}

    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    static URI resolve(URI baseUrl, String pathAndQuery) {
        return URI.create(baseUrl.toString().replaceFirst("/+$", "") + pathAndQuery);
    }

    /** A result with an address; engines mark words with HTML, which models need not see. */
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
        if (text.length() <= LONGEST) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(LONGEST - 2)) ? LONGEST - 2 : LONGEST - 1;
        return text.substring(0, end) + "…";
    }
}
