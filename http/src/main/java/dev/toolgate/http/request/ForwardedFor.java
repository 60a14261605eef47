package dev.toolgate.http.request;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses {@code Forwarded} (RFC 7239) and {@code X-Forwarded-For}; entries without an address are empty. */
final class ForwardedFor {
    private static final Pattern WITH_PORT = Pattern.compile("\\[([0-9A-Fa-f:.]+)](?::[0-9_A-Za-z.-]+)?");
    private static final Pattern IPV4_WITH_PORT = Pattern.compile("([0-9.]+):[0-9]+");

    private ForwardedFor() {}

    /** The addresses in {@code X-Forwarded-For}, in order. */
    static List<Optional<InetAddress>> inList(List<String> headers) {
        return headers.stream()
                .flatMap(header -> split(header, ',').stream())
                .map(ForwardedFor::address)
                .toList();
    }

    /** The {@code for} addresses in {@code Forwarded}, in order. */
    static List<Optional<InetAddress>> inForwarded(List<String> headers) {
        return headers.stream()
                .flatMap(header -> split(header, ',').stream())
                .map(element -> address(parameter(element, "for")))
                .toList();
    }

    /** The protocol used to reach the nearest proxy; empty if not given. */
    static String lastProtocol(List<String> headers) {
        List<String> elements =
                headers.stream().flatMap(header -> split(header, ',').stream()).toList();
        return elements.isEmpty() ? "" : parameter(elements.getLast(), "proto");
    }

    /** Parses an address, optionally with port and brackets; host names are never resolved. */
    static Optional<InetAddress> address(String written) {
        String text = written.strip();
        Matcher bracketed = WITH_PORT.matcher(text);
        Matcher ported = IPV4_WITH_PORT.matcher(text);
        String literal = bracketed.matches() ? bracketed.group(1) : ported.matches() ? ported.group(1) : text;
        try {
            // A zone such as %eth0 is local to the machine that wrote it.
            return literal.contains("%") ? Optional.empty() : Optional.of(InetAddress.ofLiteral(literal));
        } catch (IllegalArgumentException noAddress) {
            return Optional.empty();
        }
    }

    private static String parameter(String element, String name) {
        for (String pair : split(element, ';')) {
            int equals = pair.indexOf('=');
            if (equals > 0
                    && pair.substring(0, equals)
                            .strip()
                            .toLowerCase(Locale.ROOT)
                            .equals(name)) {
                return unquoted(pair.substring(equals + 1).strip());
            }
        }
        return "";
    }

    private static String unquoted(String value) {
        return value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")
                ? value.substring(1, value.length() - 1).replaceAll("\\\\(.)", "$1")
                : value;
    }

    /** Splits at a separator outside of quotes. */
    private static List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>();
        StringBuilder part = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quoted && c == '\\' && i + 1 < text.length()) {
                part.append(c).append(text.charAt(++i));
                continue;
            }
            if (c == '"') {
                quoted = !quoted;
            }
            if (c == separator && !quoted) {
                parts.add(part.toString());
                part.setLength(0);
            } else {
                part.append(c);
            }
        }
        parts.add(part.toString());
        return parts;
    }
}
