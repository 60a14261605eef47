package dev.toolgate.cli.connect;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Settings in TOML, to which one table is added. Tables of that name are removed and the new one is appended; every
 * other line, comments included, stays unchanged.
 */
public final class TomlSettings {
    private final String text;
    private final String table;
    private final String plainTable;
    private final List<int[]> removed = new ArrayList<>();
    private String current = "";
    private int tableFrom = -1;
    private int contentTo = -1;

    private TomlSettings(String text, String table) {
        this.text = text;
        this.table = table;
        this.plainTable = plain(table);
    }

    /**
     * Puts a table into the settings.
     *
     * @param table its dotted name; keys that are not plain are quoted
     * @param body its lines
     * @throws IOException if the settings define the same in another way than by a table
     */
    public static String put(String text, String table, String body) throws IOException {
        return new TomlSettings(text, table).put(body);
    }

    /**
     * Removes a table from the settings, and the empty line before it.
     *
     * @throws IOException if the settings define the same in another way than by a table
     */
    public static String remove(String text, String table) throws IOException {
        return new TomlSettings(text, table).kept(Gaps.CLOSED);
    }

    private enum Gaps {
        /** Keeps the empty line before a removed table. */
        LEFT,
        CLOSED
    }

    private String put(String body) throws IOException {
        StringBuilder kept = new StringBuilder(kept(Gaps.LEFT));
        if (!kept.isEmpty() && kept.charAt(kept.length() - 1) != '\n') {
            kept.append('\n');
        }
        if (!kept.isEmpty() && !kept.toString().endsWith("\n\n")) {
            kept.append('\n');
        }
        return kept.append('[').append(table).append("]\n").append(body).toString();
    }

    /** The settings without the table. */
    private String kept(Gaps gaps) throws IOException {
        int at = 0;
        while (at < text.length()) {
            at = line(at);
        }
        endTable();
        StringBuilder kept = new StringBuilder();
        int from = 0;
        for (int[] range : removed) {
            boolean closes =
                    gaps == Gaps.CLOSED && text.substring(from, range[0]).endsWith("\n\n");
            kept.append(text, from, closes ? range[0] - 1 : range[0]);
            from = range[1];
        }
        return kept.append(text, from, text.length()).toString();
    }

    /** Reads the line or value at this offset, and returns the offset of the next line. */
    private int line(int start) throws IOException {
        int at = start;
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
            at++;
        }
        if (at == text.length() || text.charAt(at) == '\n' || text.charAt(at) == '\r' || text.charAt(at) == '#') {
            return afterLine(at);
        }
        int next;
        if (text.charAt(at) == '[') {
            endTable();
            next = afterLine(at);
            current = plain(text.substring(at, headerEnd(at, next)));
            if (isOurs(current)) {
                tableFrom = start;
            }
        } else {
            int equals = text.indexOf('=', at);
            if (equals < 0) {
                throw new IOException("it is not valid TOML (a line has neither '=' nor a table's name)");
            }
            next = afterValue(equals + 1);
            String key = plain(text.substring(at, equals));
            checkKey(current.isEmpty() ? key : current + "." + key);
        }
        contentTo = next;
        return next;
    }

    private int headerEnd(int from, int lineEnd) {
        int comment = text.indexOf('#', from);
        return comment < 0 || comment > lineEnd ? lineEnd : comment;
    }

    // Without quotes, brackets and spaces, which is enough to compare names of bare keys.
    private static String plain(String name) {
        return name.replaceAll("[\\[\\]\"'\\s]", "");
    }

    private boolean isOurs(String name) {
        return name.equals(plainTable) || name.startsWith(plainTable + ".");
    }

    private void checkKey(String key) throws IOException {
        if (!isOurs(current) && (isOurs(key) || plainTable.startsWith(key + "."))) {
            throw new IOException(
                    "it sets '" + key + "' in another way than by a table [" + table + "]; remove that first");
        }
    }

    // Comments after a table's last line may belong to the next table, so they stay.
    private void endTable() {
        if (tableFrom >= 0) {
            removed.add(new int[] {tableFrom, contentTo});
        }
        tableFrom = -1;
    }

    private int afterLine(int from) {
        int end = text.indexOf('\n', from);
        return end < 0 ? text.length() : end + 1;
    }

    /** The start of the line after a value, which may take several lines. */
    private int afterValue(int from) throws IOException {
        int depth = 0;
        int at = from;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '"' || c == '\'') {
                at = afterString(at, c);
                continue;
            }
            if (c == '#') {
                at = afterLine(at) - 1;
                if (at < 0 || text.charAt(at) != '\n') {
                    return text.length();
                }
                c = '\n';
            }
            if (c == '[' || c == '{') {
                depth++;
            } else if (c == ']' || c == '}') {
                depth--;
            } else if (c == '\n' && depth <= 0) {
                return at + 1;
            }
            at++;
        }
        return at;
    }

    private int afterString(int from, char quote) throws IOException {
        String three = String.valueOf(quote).repeat(3);
        boolean isLong = text.startsWith(three, from);
        int at = from + (isLong ? 3 : 1);
        while (at < text.length()) {
            if (quote == '"' && text.charAt(at) == '\\') {
                at += 2;
            } else if (isLong && text.startsWith(three, at)) {
                int end = at + 3;
                while (end < text.length() && text.charAt(end) == quote && end < at + 5) {
                    end++; // a long string may end with quotes of its own
                }
                return end;
            } else if (!isLong && text.charAt(at) == quote) {
                return at + 1;
            } else {
                at++;
            }
        }
        throw new IOException("it is not valid TOML (a string has no end)");
    }

    /** A text as a TOML string. */
    public static String quoted(String value) {
        return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
