package dev.toolgate.server.door.mcp;

import dev.toolgate.core.json.Json;
import dev.toolgate.server.door.mcp.ExposedTools.Exposed;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Finds tools by words in their names, descriptions and arguments. It is given only the tools that the caller may see.
 */
final class ToolSearch {
    private static final int IN_NAME = 10;
    private static final int IN_DESCRIPTION = 3;
    private static final int IN_ARGUMENTS = 1;

    private ToolSearch() {}

    private record Match(Exposed tool, int score) {}

    /**
     * The best matching tools, as listed to clients.
     *
     * @param query words; without any, all tools match
     * @param max the maximum number of tools
     */
    static ObjectNode find(List<Exposed> visible, String query, int max) {
        List<String> words = Arrays.stream(query.toLowerCase(Locale.ROOT).split("[^\\p{L}\\p{N}]+"))
                .filter(word -> !word.isEmpty())
                .distinct()
                .toList();
        List<Match> matches = visible.stream()
                .map(tool -> new Match(tool, words.isEmpty() ? 1 : score(tool.definition(), words)))
                .filter(match -> match.score() > 0)
                .sorted(Comparator.comparingInt(Match::score).reversed().thenComparing(match -> match.tool()
                        .name()))
                .toList();
        ObjectNode found = Json.MAPPER.createObjectNode();
        ArrayNode tools = found.putArray("tools");
        matches.stream().limit(max).forEach(match -> tools.add(match.tool().definition()));
        return found.put("total", matches.size());
    }

    private static int score(JsonNode definition, List<String> words) {
        String name = lower(definition.path("name"));
        String description = lower(definition.path("description")) + " " + lower(definition.path("title"));
        String arguments = String.join(
                        " ", definition.path("inputSchema").path("properties").propertyNames())
                .toLowerCase(Locale.ROOT);
        int score = 0;
        for (String word : words) {
            score += name.contains(word) ? IN_NAME : 0;
            score += description.contains(word) ? IN_DESCRIPTION : 0;
            score += arguments.contains(word) ? IN_ARGUMENTS : 0;
        }
        return score;
    }

    private static String lower(JsonNode text) {
        return text.asString("").toLowerCase(Locale.ROOT);
    }
}
