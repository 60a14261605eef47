package dev.toolgate.http.request;

import dev.toolgate.core.json.Times;
import dev.toolgate.http.error.BadRequest;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The query parameters of a request: each at most once, and only those that the route reads. */
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

    private static String shortened(String name) {
        return name.length() <= 50 ? name : name.substring(0, 50) + "…";
    }

    /** A parameter as text; empty if it is absent. */
    public Optional<String> text(String name) {
        if (!known.contains(name)) {
            throw new IllegalStateException("The route does not declare the query parameter " + name + ".");
        }
        return Optional.ofNullable(values.get(name));
    }

    /** A parameter as a whole number within bounds, both included. */
    public OptionalInt number(String name, int least, int most) {
        Optional<String> text = text(name);
        if (text.isEmpty()) {
            return OptionalInt.empty();
        }
        try {
            int number = Integer.parseInt(text.get());
            if (number >= least && number <= most) {
                return OptionalInt.of(number);
            }
        } catch (NumberFormatException notANumber) {
            // said below
        }
        throw new BadRequest(
                "The query parameter '" + name + "' must be a whole number from " + least + " to " + most + ".");
    }

    /** A parameter as a moment. */
    public Optional<Instant> time(String name) {
        return text(name).map(text -> Times.read(text)
                .orElseThrow(() -> new BadRequest(
                        "The query parameter '" + name + "' must be a time such as 2026-01-31T12:00:00Z.")));
    }

    /** A parameter as true or false. */
    public Optional<Boolean> flag(String name) {
        return text(name).map(text -> switch (text) {
            case "true", "True" -> true; // Python's clients write a capital letter
            case "false", "False" -> false;
            default -> throw new BadRequest("The query parameter '" + name + "' must be true or false.");
        });
    }
}
