package dev.toolgate.cli.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/** How a list of objects becomes a table. */
public final class Columns {
    private static final int LONGEST = 60;
    private static final int LONGEST_AT_THE_END = 200;

    private final List<String> titles = new ArrayList<>();
    private final List<Function<JsonNode, String>> cells = new ArrayList<>();

    /** One more column with a field of each object. */
    public Columns field(String title, String field) {
        return cell(title, object -> PrintableText.of(object.path(field)));
    }

    /** One more column with a time, to the second. */
    public Columns time(String title, String field) {
        return cell(title, object -> seconds(PrintableText.of(object.path(field))));
    }

    /** One more column with whatever is made of each object. */
    public Columns cell(String title, Function<JsonNode, String> cell) {
        titles.add(title);
        cells.add(cell);
        return this;
    }

    /** The whole table, every column as wide as its widest cell. */
    public String table(JsonNode list) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(titles);
        list.valueStream().forEach(object -> rows.add(row(object)));
        int[] widths = new int[titles.size()];
        for (List<String> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        return String.join("\n", rows.stream().map(row -> line(row, widths)).toList());
    }

    /** One line of a table that is printed as it comes: columns two spaces apart, not aligned. */
    public String line(JsonNode object) {
        return String.join("  ", row(object));
    }

    private List<String> row(JsonNode object) {
        int last = cells.size() - 1;
        return IntStream.rangeClosed(0, last)
                .mapToObj(i -> shortened(cells.get(i).apply(object), i < last ? LONGEST : LONGEST_AT_THE_END))
                .toList();
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            line.append(row.get(i)).repeat(' ', widths[i] - row.get(i).length() + 2);
        }
        return line.toString().stripTrailing();
    }

    private static String shortened(String cell, int longest) {
        return cell.length() <= longest ? cell : cell.substring(0, longest - 1) + "…";
    }

    private static String seconds(String time) {
        return time.replaceFirst("(T\\d\\d:\\d\\d:\\d\\d)\\.\\d+", "$1");
    }
}
