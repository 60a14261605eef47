package dev.toolgate.cli.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;

/** The columns of a text table. */
public final class Columns {
    private static final int MAX_WIDTH = 60;
    private static final int MAX_LAST_WIDTH = 200;

    private final List<String> titles = new ArrayList<>();
    private final List<Function<JsonNode, String>> cells = new ArrayList<>();

    /** Adds a column with a field of each object. */
    public Columns field(String title, String field) {
        return cell(title, object -> PrintableText.of(object.path(field)));
    }

    /** Adds a column with a time, in seconds precision. */
    public Columns time(String title, String field) {
        return cell(title, object -> seconds(PrintableText.of(object.path(field))));
    }

    /** Adds a column computed from each object. */
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

    /** One line of a streamed table: columns separated by two spaces, not aligned. */
    public String line(JsonNode object) {
        return String.join("  ", row(object));
    }

    private List<String> row(JsonNode object) {
        int last = cells.size() - 1;
        return IntStream.rangeClosed(0, last)
                .mapToObj(i -> shortened(cells.get(i).apply(object), i < last ? MAX_WIDTH : MAX_LAST_WIDTH))
                .toList();
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            line.append(row.get(i)).repeat(' ', widths[i] - row.get(i).length() + 2);
        }
        return line.toString().stripTrailing();
    }

    private static String shortened(String cell, int maxWidth) {
        return cell.length() <= maxWidth ? cell : cell.substring(0, maxWidth - 1) + "…";
    }

    private static String seconds(String time) {
        return time.replaceFirst("(T\\d\\d:\\d\\d:\\d\\d)\\.\\d+", "$1");
    }
}
