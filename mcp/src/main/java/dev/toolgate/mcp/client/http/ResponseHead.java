package dev.toolgate.mcp.client.http;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The head of an HTTP response.
 *
 * @param names of the headers in lower case, in their order
 * @param values of the headers, in the same order
 */
record ResponseHead(int status, boolean persistent, List<String> names, List<String> values) {
    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,15}");

    /** How long the body is. */
    sealed interface Length {}

    record Fixed(long bytes) implements Length {}

    record Chunked() implements Length {}

    record UntilClose() implements Length {}

    List<String> values(String name) {
        String wanted = name.toLowerCase(Locale.ROOT);
        List<String> found = new ArrayList<>(1);
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i).equals(wanted)) {
                found.add(values.get(i));
            }
        }
        return found;
    }

    Length length() throws IOException {
        if (status == 204 || status == 304) {
            return new Fixed(0);
        }
        List<String> encodings = values("transfer-encoding");
        if (!encodings.isEmpty()) {
            if (encodings.size() == 1 && encodings.getFirst().equalsIgnoreCase("chunked")) {
                return new Chunked();
            }
            throw new IOException("The answer has a transfer encoding that is not supported.");
        }
        List<String> lengths = values("content-length");
        if (lengths.isEmpty()) {
            return new UntilClose();
        }
        String length = lengths.getFirst();
        if (lengths.stream().allMatch(length::equals) && LENGTH.matcher(length).matches()) {
            return new Fixed(Long.parseLong(length));
        }
        throw new IOException("The answer has no valid length.");
    }

    /** Whether the connection can be used again after the body. */
    boolean staysOpen() {
        return persistent
                && values("connection").stream()
                        .noneMatch(value -> value.toLowerCase(Locale.ROOT).contains("close"));
    }
}
