package dev.toolgate.mcp.protocol;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Which arguments of a tool must be mirrored into headers according to its schema ({@code x-mcp-header}). */
public sealed interface HeaderParameters {
    /** The keyword in a schema. */
    String KEYWORD = "x-mcp-header";

    /** The schema is valid; most have no such parameters. */
    record Valid(List<Parameter> parameters) implements HeaderParameters {}

    /** The schema violates a rule, so a client must not show the tool. */
    record Invalid(String reason) implements HeaderParameters {}

    /**
     * An argument that is mirrored.
     *
     * @param header the full name of the header
     * @param path the names of the properties that lead to the argument
     */
    record Parameter(String header, List<String> path) {
        private static final BigInteger MAX_SAFE = BigInteger.valueOf((1L << 53) - 1);

        /** The value of the header before encoding; null if the header must not be sent. */
        public @Nullable String value(JsonNode arguments) {
            JsonNode value = arguments;
            for (String step : path) {
                value = value.path(step);
            }
            return switch (value.getNodeType()) {
                case STRING -> value.stringValue();
                case BOOLEAN -> Boolean.toString(value.booleanValue());
                case NUMBER -> integer(value.decimalValue());
                case ARRAY, BINARY, MISSING, NULL, OBJECT, POJO -> null;
            };
        }

        /** Whether a decoded header equals an argument; integers are compared as numbers. */
        public boolean matches(String decoded, String expected, JsonNode arguments) {
            if (decoded.equals(expected)) {
                return true;
            }
            JsonNode value = arguments;
            for (String step : path) {
                value = value.path(step);
            }
            if (!value.isNumber() || decoded.length() > 32) {
                return false;
            }
            try {
                return new BigDecimal(decoded).compareTo(value.decimalValue()) == 0;
            } catch (NumberFormatException notANumber) {
                return false;
            }
        }

        private static @Nullable String integer(BigDecimal number) {
            try {
                BigInteger integer = number.toBigIntegerExact();
                return integer.abs().compareTo(MAX_SAFE) <= 0 ? integer.toString() : null;
            } catch (ArithmeticException fraction) {
                return null;
            }
        }
    }

    /** Finds the mirrored arguments of an input schema. */
    static HeaderParameters of(JsonNode inputSchema) {
        List<Parameter> found = new ArrayList<>();
        String problem = collect(inputSchema, List.of(), found, new HashSet<>());
        if (problem == null && count(inputSchema) != found.size()) {
            problem = "x-mcp-header is used where the argument cannot be reached by properties alone";
        }
        return problem == null ? new Valid(List.copyOf(found)) : new Invalid(problem);
    }

    private static @Nullable String collect(
            JsonNode schema, List<String> path, List<Parameter> found, Set<String> names) {
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            List<String> to = new ArrayList<>(path);
            to.add(property.getKey());
            JsonNode mark = property.getValue().get(KEYWORD);
            if (mark != null) {
                String problem = problem(property.getValue(), mark, names);
                if (problem != null) {
                    return problem;
                }
                found.add(new Parameter(McpHeaders.PARAMETER_PREFIX + mark.stringValue(), List.copyOf(to)));
            }
            String problem = collect(property.getValue(), to, found, names);
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    private static @Nullable String problem(JsonNode property, JsonNode mark, Set<String> names) {
        if (!mark.isString() || !isToken(mark.stringValue())) {
            return "the name of a header must consist of letters, digits and !#$%&'*+-.^_`|~";
        }
        String type = property.path("type").asString("");
        if (!type.equals("string") && !type.equals("integer") && !type.equals("boolean")) {
            return "only a string, an integer or a boolean can be mirrored";
        }
        return names.add(mark.stringValue().toLowerCase(Locale.ROOT))
                ? null
                : "two arguments are mirrored into the same header";
    }

    private static boolean isToken(String name) {
        return !name.isEmpty()
                && name.chars()
                        .allMatch(c -> (c >= 'a' && c <= 'z')
                                || (c >= 'A' && c <= 'Z')
                                || (c >= '0' && c <= '9')
                                || "!#$%&'*+-.^_`|~".indexOf(c) >= 0);
    }

    /** How often the keyword occurs in a schema, not counting property names and values. */
    private static int count(JsonNode schema) {
        int marks = schema.has(KEYWORD) ? 1 : 0;
        for (Map.Entry<String, JsonNode> keyword : schema.properties()) {
            marks += switch (keyword.getKey()) {
                case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas" ->
                    countEach(keyword.getValue());
                case "const", "enum", "default", "examples" -> 0;
                default -> keyword.getValue().isArray() ? countEach(keyword.getValue()) : count(keyword.getValue());
            };
        }
        return marks;
    }

    private static int countEach(JsonNode schemas) {
        int marks = 0;
        for (JsonNode schema : schemas) {
            marks += count(schema);
        }
        return marks;
    }
}
