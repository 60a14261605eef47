package dev.toolgate.client;

import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The entries of a list, fetched lazily page by page. */
final class Pages<T> implements Iterator<T> {
    // Only paths, so that a link cannot send the key to another server.
    private static final Pattern NEXT = Pattern.compile("<(/[^/>][^>]*)>\\s*;\\s*rel=\"?next\"?");

    private final Connection connection;
    private final Class<T> type;
    private @Nullable String next;
    private Iterator<JsonNode> page;

    private Pages(Connection connection, String path, Class<T> type) {
        this.connection = connection;
        this.type = type;
        this.next = path;
        this.page = Collections.emptyIterator();
    }

    static <T> Stream<T> of(Connection connection, String path, Class<T> type) {
        Spliterator<T> entries = Spliterators.spliteratorUnknownSize(
                new Pages<>(connection, path, type), Spliterator.ORDERED | Spliterator.NONNULL);
        return StreamSupport.stream(entries, false);
    }

    @Override
    public boolean hasNext() {
        while (!page.hasNext() && next != null) {
            Reply reply = connection.send(Request.get(next));
            page = reply.json().iterator();
            next = next(reply);
        }
        return page.hasNext();
    }

    @Override
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return Json.read(page.next(), type);
    }

    private static @Nullable String next(Reply reply) {
        String link = reply.headers().firstValue("Link").orElse("");
        if (link.isEmpty()) {
            return null;
        }
        Matcher found = NEXT.matcher(link);
        if (!found.find()) {
            throw reply.unexpected();
        }
        return found.group(1);
    }
}
