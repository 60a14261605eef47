package dev.toolgate.runtime.network;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.impl.EnglishReasonPhraseCatalog;

/** A server's response to one request. */
public sealed interface Reply {

    /** A redirect. */
    record Redirect(int status, String location) implements Reply {}

    /**
     * A final response.
     *
     * @param headers by name in lower case; several values joined by commas
     * @param body complete and decompressed
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared, never handed out
    record Answer(int status, String reason, Map<String, String> headers, byte[] body) implements Reply {

        public Optional<String> header(String name) {
            return Optional.ofNullable(headers.get(name)).filter(value -> !value.isBlank());
        }
    }

    static String reason(HttpResponse response) {
        String given = response.getReasonPhrase();
        if (given != null && !given.isBlank()) {
            return given;
        }
        String standard = EnglishReasonPhraseCatalog.INSTANCE.getReason(response.getCode(), Locale.ROOT);
        return standard == null ? "" : standard;
    }

    static Map<String, String> headers(HttpResponse response) {
        Map<String, String> headers = new LinkedHashMap<>();
        for (Header header : response.getHeaders()) {
            String value = header.getValue() == null ? "" : header.getValue();
            headers.merge(header.getName().toLowerCase(Locale.ROOT), value, (one, two) -> one + ", " + two);
        }
        return headers;
    }
}
