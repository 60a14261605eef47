package dev.toolgate.runtime.network;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpResponse;
import org.apache.hc.core5.http.impl.EnglishReasonPhraseCatalog;

/** What a server answered to one request. */
public sealed interface Reply {

    /** It says to ask elsewhere. */
    record Redirect(int status, String location) implements Reply {}

    /**
     * It is the answer.
     *
     * @param headers by name in lower case; several values joined by commas
     * @param body whole, and no longer compressed
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
        String usual = EnglishReasonPhraseCatalog.INSTANCE.getReason(response.getCode(), Locale.ROOT);
        return usual == null ? "" : usual;
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
