package dev.toolgate.tools.database;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Formats rows as a table with aligned columns. */
final class TextTable {
    private static final int MAX_WIDTH = 120;

    private TextTable() {}

    static String of(List<String> columns, List<List<String>> rows) {
        List<List<String>> lines = new ArrayList<>();
        lines.add(columns.stream().map(TextTable::onOneLine).toList());
        rows.forEach(row -> lines.add(row.stream().map(TextTable::onOneLine).toList()));
        List<Integer> widths = new ArrayList<>(Collections.nCopies(columns.size(), 0));
        lines.forEach(line -> {
            for (int column = 0; column < line.size(); column++) {
                widths.set(column, Math.max(widths.get(column), line.get(column).length()));
            }
        });
        StringBuilder table = new StringBuilder();
        for (int number = 0; number < lines.size(); number++) {
            append(table, lines.get(number), widths, " | ", " ");
            if (number == 0) {
                append(table, Collections.nCopies(columns.size(), ""), widths, "-+-", "-");
            }
        }
        return table.toString();
    }

    private static void append(StringBuilder table, List<String> line, List<Integer> widths, String gap, String fill) {
        for (int column = 0; column < line.size(); column++) {
            boolean last = column == line.size() - 1;
            int missing = widths.get(column) - line.get(column).length();
            table.append(line.get(column)).append(last && fill.isBlank() ? "" : fill.repeat(missing));
            table.append(last ? "" : gap);
        }
        table.append('\n');
    }

    private static String onOneLine(String cell) {
        String line = cell.replaceAll("\\R", "⏎").replaceAll("\\p{Cntrl}", "?");
        return line.length() <= MAX_WIDTH ? line : line.substring(0, MAX_WIDTH - 1) + "…";
    }
}
