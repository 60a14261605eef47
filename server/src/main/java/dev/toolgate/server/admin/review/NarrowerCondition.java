package dev.toolgate.server.admin.review;

import dev.toolgate.core.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Derives a condition from the arguments of calls: few different values are listed, and paths are limited to the folder
 * that all of them are in. Only printable ASCII is used, so that nothing an agent sends can be mistaken for other text.
 */
final class NarrowerCondition {
    private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,99}");
    private static final Pattern PLAIN_VALUE = Pattern.compile("[ -~]{1,100}");
    private static final int MAX_VALUES = 5;
    private static final int MAX_CLAUSES = 3;

    private NarrowerCondition() {}

    /** A condition that all these arguments meet; empty if they have too little in common. */
    static Optional<String> of(List<ObjectNode> calls) {
        if (calls.isEmpty()) {
            return Optional.empty();
        }
        List<String> clauses = new ArrayList<>();
        for (String name : new TreeSet<>(calls.getFirst().propertyNames())) {
            if (clauses.size() < MAX_CLAUSES && PLAIN_NAME.matcher(name).matches()) {
                clause(name, calls).ifPresent(clauses::add);
            }
        }
        return clauses.isEmpty() ? Optional.empty() : Optional.of(String.join(" && ", clauses));
    }

    private static Optional<String> clause(String name, List<ObjectNode> calls) {
        Set<String> values = new TreeSet<>();
        for (ObjectNode call : calls) {
            JsonNode value = call.path(name);
            if (!value.isString() || !PLAIN_VALUE.matcher(value.stringValue()).matches()) {
                return Optional.empty();
            }
            values.add(value.stringValue());
        }
        if (values.size() <= MAX_VALUES) {
            return Optional.of("params." + name + " in ["
                    + values.stream().map(NarrowerCondition::literal).collect(Collectors.joining(", ")) + "]");
        }
        return commonFolder(values).map(folder -> "params." + name + ".startsWith(" + literal(folder) + ")");
    }

    private static Optional<String> commonFolder(Set<String> paths) {
        String common = paths.iterator().next();
        for (String path : paths) {
            if (path.contains("..")) {
                return Optional.empty(); // such a path is not in the folder that it begins with
            }
            int length = 0;
            while (length < Math.min(common.length(), path.length()) && common.charAt(length) == path.charAt(length)) {
                length++;
            }
            common = common.substring(0, length);
        }
        String folder = common.substring(0, common.lastIndexOf('/') + 1);
        return folder.length() > 1 ? Optional.of(folder) : Optional.empty();
    }

    private static String literal(String text) {
        return Json.MAPPER.writeValueAsString(text);
    }
}
