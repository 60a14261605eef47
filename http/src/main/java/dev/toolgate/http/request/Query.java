package dev.toolgate.http.request;

import dev.toolgate.core.json.Times;
import dev.toolgate.http.error.BadRequest;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The query parameters of a request: each at most once, and only those that the route declares. */
public final class Query {
    private final Set<String> known;
    private final Map<String, String> values;

    private Query(Set<String> known, Map<String, String> values) {
        this.known = known;
        this.values = values;
    }

    public static Query of(@Nullable String raw, Set<String> known) {
        if (raw == null || raw.isEmpty()) {
            return new Query(known, Map.of());
        }
        Map<String, String> values = new HashMap<>();
        for (String pair : raw.split("&", -1)) {
            if (pair.isEmpty()) {
                continue;
            }
            int equals = pair.indexOf('=');
            String name = PercentDecoding.query(equals < 0 ? pair : pair.substring(0, equals));
            if (!known.contains(name)) {
                throw new BadRequest("Unknown query parameter '" + shortened(name) + "'; "
                        + (known.isEmpty() ? "there are none here" : "known ones are " + new TreeSet<>(known)) + ".");
            }
            String value = PercentDecoding.query(equals < 0 ? "" : pair.substring(equals + 1));
            if (value.isEmpty()) {
                throw new BadRequest("The query parameter '" + name + "' has no value; leave it out instead.");
            }
            if (values.putIfAbsent(name, value) != null) {
                throw new BadRequest("The query parameter '" + name + "' occurs more than once.");
            }
        }
        return new Query(known, values);
    }

    /** The same without refusing other parameters: they are not even decoded. */
    public static Query ignoringOthers(@Nullable String raw, Set<String> known) {
        if (raw == null || known.isEmpty()) {
            return of(null, known);
        }
        return of(
                Arrays.stream(raw.split("&", -1))
                        .filter(pair -> known.contains(pair.split("=", 2)[0]))
                        .collect(Collectors.joining("&")),
                known);
    }

    private static String shortened(String name) {
        return name.length() <= 50 ? name : name.substring(0, 50) + "…";
    }

    /** A parameter as text. */
    public Optional<String> text(String name) {
        if (!known.contains(name)) {
            throw new IllegalStateException("The route does not declare the query parameter " + name + ".");
        }
        return Optional.ofNullable(values.get(name));
    }

    /** A parameter as an integer within inclusive bounds. */
    public OptionalInt number(String name, int min, int max) {
        Optional<String> text = text(name);
        if (text.isEmpty()) {
            return OptionalInt.empty();
        }
        try {
            int number = Integer.parseInt(text.get());
            if (number >= min && number <= max) {
                return OptionalInt.of(number);
            }
        } catch (NumberFormatException notANumber) {
            // reported below
        }
        throw new BadRequest(
                "The query parameter '" + name + "' must be a whole number from " + min + " to " + max + ".");
    }

    /** A parameter as a time. */
    public Optional<Instant> time(String name) {
        return text(name).map(text -> Times.read(text)
                .orElseThrow(() -> new BadRequest(
                        "The query parameter '" + name + "' must be a time such as 2026-01-31T12:00:00Z.")));
    }

    /** A parameter as a boolean. */
    public Optional<Boolean> flag(String name) {
        return text(name).map(text -> switch (text) {
            case "true", "True" -> true; // Python's clients write a capital letter
            case "false", "False" -> false;
            default -> throw new BadRequest("The query parameter '" + name + "' must be true or false.");
        });
    }
}
