package dev.toolgate.server.door;

import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The page of a list that a request asks for. The next page starts after the last entry of this one, so that concurrent
 * additions and removals neither repeat nor hide an entry.
 */
public record Page(int limit, @Nullable String after) {
    private static final int DEFAULT_LIMIT = 100;
    private static final int MAX_LIMIT = 500;

    public static Page of(Exchange exchange) {
        return new Page(
                exchange.query().number("limit", 1, MAX_LIMIT).orElse(DEFAULT_LIMIT),
                exchange.query().text("after").orElse(null));
    }

    /** The last entry of the page before; {@code null} for the first page. */
    public <T> @Nullable T after(Function<String, T> read) {
        return after == null ? null : read.apply(after);
    }

    /** The number of entries to fetch: one more than requested, to know whether there is a next page. */
    public int limitPlusOne() {
        return limit + 1;
    }

    /** The response with the entries of this page and the link to the next one. */
    public <T> Response answer(String path, List<T> found, Function<T, String> key, Function<T, ?> entry) {
        List<?> entries = found.stream().limit(limit).map(entry).toList();
        return new Response.Json(200, entries, next(path, found, key, Map.of()));
    }

    /** The same, with filters that the next page has too. */
    public <T> Response answer(
            String path, List<T> found, Function<T, String> key, Function<T, ?> entry, Map<String, String> filters) {
        List<?> entries = found.stream().limit(limit).map(entry).toList();
        return new Response.Json(200, entries, next(path, found, key, filters));
    }

    /** The Link header to the next page, if there is one. */
    public <T> Map<String, String> next(
            String path, List<T> found, Function<T, String> key, Map<String, String> filters) {
        return found.size() <= limit ? Map.of() : nextAfter(path, key.apply(found.get(limit - 1)), filters);
    }

    /** The Link header to the page after this entry. */
    public Map<String, String> nextAfter(String path, String last, Map<String, String> filters) {
        Map<String, String> query = new LinkedHashMap<>(filters);
        query.put("limit", Integer.toString(limit));
        query.put("after", last);
        return Map.of("Link", "<" + Urls.of(path, query) + ">; rel=\"next\"");
    }
}
