package dev.toolgate.runtime.network;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.core.tool.ToolFailure;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The headers a caller wants to send; names are case-insensitive. */
public record RequestHeaders(Map<String, String> values) {
    private static final int MAX_HEADERS = 100;
    private static final int MAX_VALUE_LENGTH = 8192;
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9!#$%&'*+.^_`|~-]{1,256}");
    private static final Pattern VALUE = Pattern.compile("[\\t\\x20-\\x7e]*");

    /** Headers about the connection or message length, which the HTTP client sets itself. */
    private static final Set<String> RESERVED = Set.of(
            "connection",
            "content-length",
            "expect",
            "host",
            "http2-settings",
            "keep-alive",
            "proxy-authenticate",
            "proxy-authorization",
            "proxy-connection",
            "te",
            "trailer",
            "transfer-encoding",
            "upgrade");

    private static final Set<String> BODY_HEADERS =
            Set.of("content-encoding", "content-language", "content-location", "content-type", "digest");

    public RequestHeaders {
        Map<String, String> sorted = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        sorted.putAll(values);
        values = sorted;
    }

    /** Validates the headers. */
    public static RequestHeaders of(Map<String, String> given) throws ToolFailure {
        if (given.size() > MAX_HEADERS) {
            throw invalid("There are more than " + MAX_HEADERS + " headers");
        }
        for (Map.Entry<String, String> header : given.entrySet()) {
            check(header.getKey(), header.getValue());
        }
        RequestHeaders headers = new RequestHeaders(given);
        if (headers.values.size() < given.size()) {
            throw invalid("A header is given twice, in different case");
        }
        return headers;
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    RequestHeaders withoutCredentials() {
        return without(Redactor::isSensitiveName);
    }

    RequestHeaders withoutBody() {
        return without(name -> BODY_HEADERS.contains(name.toLowerCase(Locale.ROOT)));
    }

    private RequestHeaders without(Predicate<String> unwanted) {
        Map<String, String> left = new TreeMap<>(values);
        left.keySet().removeIf(unwanted);
        return new RequestHeaders(left);
    }

    private static void check(String name, String value) throws ToolFailure {
        if (!NAME.matcher(name).matches()) {
            throw invalid("A header name is empty, too long or has a character not allowed in header names");
        }
        if (RESERVED.contains(name.toLowerCase(Locale.ROOT))) {
            throw invalid("Header '" + name + "' is set by the client itself and cannot be given");
        }
        if (value.length() > MAX_VALUE_LENGTH) {
            throw invalid("The value of header '" + name + "' is longer than " + MAX_VALUE_LENGTH + " characters");
        }
        if (!VALUE.matcher(value).matches()) {
            throw invalid("The value of header '" + name + "' has a line break or another character not allowed in"
                    + " header values");
        }
    }

    private static ToolFailure invalid(String message) {
        return new ToolFailure(ErrorCode.INVALID_REQUEST, message);
    }
}
