package dev.toolgate.tools.database;

import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts column values to JSON types: numbers, booleans, null, and text for everything else. */
final class Cells {
    private Cells() {}

    static List<String> names(ResultSetMetaData columns) throws SQLException {
        List<String> names = new ArrayList<>();
        for (int column = 1; column <= columns.getColumnCount(); column++) {
            names.add(columns.getColumnLabel(column));
        }
        return names;
    }

    static List<@Nullable Object> of(ResultSet row) throws SQLException {
        ResultSetMetaData columns = row.getMetaData();
        List<@Nullable Object> cells = new ArrayList<>(columns.getColumnCount());
        for (int column = 1; column <= columns.getColumnCount(); column++) {
            cells.add(cell(row, column, type(columns, column)));
        }
        return cells;
    }

    // PostgreSQL's driver reports both bool and bit as BIT.
    private static int type(ResultSetMetaData columns, int column) throws SQLException {
        return columns.getColumnTypeName(column).equals("bool") ? Types.BOOLEAN : columns.getColumnType(column);
    }

    private static @Nullable Object cell(ResultSet row, int column, int type) throws SQLException {
        return switch (type) {
            case Types.BOOLEAN, Types.TINYINT, Types.SMALLINT, Types.INTEGER, Types.BIGINT -> plain(row, column);
            case Types.NUMERIC, Types.DECIMAL, Types.REAL, Types.FLOAT, Types.DOUBLE -> number(row, column);
            case Types.BINARY, Types.VARBINARY, Types.LONGVARBINARY, Types.BLOB -> hexadecimal(row, column);
            default -> row.getString(column);
        };
    }

    private static @Nullable Object plain(ResultSet row, int column) throws SQLException {
        Object value = row.getObject(column);
        return value == null || value instanceof Number || value instanceof Boolean ? value : value.toString();
    }

    private static @Nullable String hexadecimal(ResultSet row, int column) throws SQLException {
        byte[] bytes = row.getBytes(column);
        return bytes == null ? null : "\\x" + HexFormat.of().formatHex(bytes);
    }

    // JSON has no NaN and no infinity.
    private static @Nullable Object number(ResultSet row, int column) throws SQLException {
        String text = row.getString(column);
        if (text == null) {
            return null;
        }
        try {
            return new BigDecimal(text);
        } catch (NumberFormatException notFinite) {
            return text;
        }
    }
}
