package dev.toolgate.server.door;

import dev.toolgate.http.routing.Exchange;
import dev.toolgate.http.routing.Response;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which part of a list is asked for. The next part is found by the last entry of this one, so that what is
 * added or removed meanwhile neither repeats an entry nor hides one.
 */
public record Page(int limit, @Nullable String after) {
    private static final int USUAL = 100;
    private static final int LARGEST = 500;

    public static Page of(Exchange exchange) {
        return new Page(
                exchange.query().number("limit", 1, LARGEST).orElse(USUAL),
                exchange.query().text("after").orElse(null));
    }

    /** The entry to go on after, if it is not the first page. */
    public <T> @Nullable T after(Function<String, T> read) {
        return after == null ? null : read.apply(after);
    }

    /** How many entries to look for: one more than asked for shows whether there is a next page. */
    public int andOneMore() {
        return limit + 1;
    }

    /** The entries of this page, and where the next one is. */
    public <T> Response answer(String path, List<T> found, Function<T, String> key, Function<T, ?> entry) {
        List<?> entries = found.stream().limit(limit).map(entry).toList();
        return new Response.Json(200, entries, next(path, found, key, Map.of()));
    }

    /** The header that leads to the next page, if there is one. */
    public <T> Map<String, String> next(
            String path, List<T> found, Function<T, String> key, Map<String, String> filters) {
        return found.size() <= limit ? Map.of() : nextAfter(path, key.apply(found.get(limit - 1)), filters);
    }

    /** The header that leads to the page after this entry. */
    public Map<String, String> nextAfter(String path, String last, Map<String, String> filters) {
        Map<String, String> query = new LinkedHashMap<>(filters);
        query.put("limit", Integer.toString(limit));
        query.put("after", last);
        return Map.of("Link", "<" + Addresses.of(path, query) + ">; rel=\"next\"");
    }
}
