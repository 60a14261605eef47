package dev.toolgate.store.audit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Binds a list of rows column by column, so that any number of rows is one statement. Arrays of these types go to the
 * database in binary form, which neither side has to escape and parse.
 */
final class ColumnArrays<R> {
    /** What a number of {@link #times} becomes a time with: {@code EPOCH + number * MICROSECOND}. */
    static final String TIME = "timestamptz 'epoch' + interval '1 microsecond' * ";

    private static final String[] NOTHING = {};

    private final Connection connection;
    private final PreparedStatement statement;
    private final List<R> rows;
    private int next;

    ColumnArrays(Connection connection, PreparedStatement statement, int firstParameter, List<R> rows) {
        this.connection = connection;
        this.statement = statement;
        this.next = firstParameter;
        this.rows = rows;
    }

    /** The columns of {@link AuditColumns#values}. */
    ColumnArrays<R> columns(List<AuditColumn<?>> columns, Function<R, CallFacts> facts) throws SQLException {
        for (AuditColumn<?> column : columns) {
            switch (column.type().form()) {
                case TEXT -> column(row -> column.text(facts.apply(row)));
                case MICROSECONDS -> times(row -> facts.apply(row).timestamp());
            }
        }
        return this;
    }

    /** All columns of records, whose texts were made before. */
    ColumnArrays<R> records(Function<R, RecordTexts> texts) throws SQLException {
        for (int column = 0; column < AuditColumns.ALL.size(); column++) {
            int place = column;
            switch (AuditColumns.ALL.get(place).type().form()) {
                case TEXT -> column(row -> texts.apply(row).get(place));
                case MICROSECONDS -> times(row -> texts.apply(row).facts().timestamp());
            }
        }
        return this;
    }

    /** Values as texts. */
    ColumnArrays<R> column(Function<R, @Nullable Object> value) throws SQLException {
        @Nullable String[] values = new @Nullable String[rows.size()];
        boolean anything = false;
        for (int i = 0; i < values.length; i++) {
            Object cell = value.apply(rows.get(i));
            values[i] = cell == null ? null : cell.toString();
            anything |= cell != null;
        }
        // Columns that are unnested together are filled up with nulls, and most of a usual batch's columns have no
        // value.
        return bind("text", anything ? values : NOTHING);
    }

    ColumnArrays<R> numbers(Function<R, Long> value) throws SQLException {
        Long[] values = new Long[rows.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = value.apply(rows.get(i));
        }
        return bind("int8", values);
    }

    /** Times as microseconds since 1970. */
    ColumnArrays<R> times(Function<R, Instant> value) throws SQLException {
        return numbers(row -> ChronoUnit.MICROS.between(Instant.EPOCH, value.apply(row)));
    }

    /** Bytes that are written in hexadecimal here. */
    ColumnArrays<R> hex(Function<R, String> value) throws SQLException {
        byte[][] values = new byte[rows.size()][];
        for (int i = 0; i < values.length; i++) {
            values[i] = HexFormat.of().parseHex(value.apply(rows.get(i)));
        }
        return bind("bytea", values);
    }

    private ColumnArrays<R> bind(String type, @Nullable Object[] values) throws SQLException {
        statement.setArray(next++, connection.createArrayOf(type, values));
        return this;
    }

    /** The first parameter that has not been bound. */
    int next() {
        return next;
    }
}
