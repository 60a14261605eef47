package dev.toolgate.store.audit.record;

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
 * Binds a list of rows as one array per column, so that any number of rows is one statement. Arrays of these types are
 * sent in binary form, which is cheaper than text.
 */
public final class ColumnArrays<R> {
    /** SQL prefix that converts a number of {@link #times} to a timestamp. */
    static final String TIME = "timestamptz 'epoch' + interval '1 microsecond' * ";

    private static final String[] NOTHING = {};

    private final Connection connection;
    private final PreparedStatement statement;
    private final List<R> rows;
    private int next;

    public ColumnArrays(Connection connection, PreparedStatement statement, int firstParameter, List<R> rows) {
        this.connection = connection;
        this.statement = statement;
        this.next = firstParameter;
        this.rows = rows;
    }

    /** The columns of {@link AuditColumns#values}, from texts that were computed before. */
    public ColumnArrays<R> records(FilledColumns filled, Function<R, RecordTexts> texts) throws SQLException {
        for (int index = 0; index < AuditColumns.ALL.size(); index++) {
            if (filled.contains(index)) {
                int column = index;
                switch (AuditColumns.ALL.get(column).type().form()) {
                    case TEXT -> column(row -> texts.apply(row).get(column));
                    case MICROSECONDS -> times(row -> texts.apply(row).facts().timestamp());
                }
            }
        }
        return this;
    }

    /** Values as text. */
    public ColumnArrays<R> column(Function<R, @Nullable Object> value) throws SQLException {
        @Nullable String[] values = new @Nullable String[rows.size()];
        boolean anything = false;
        for (int i = 0; i < values.length; i++) {
            Object cell = value.apply(rows.get(i));
            values[i] = cell == null ? null : cell.toString();
            anything |= cell != null;
        }
        // unnest fills shorter arrays with nulls, and in most batches most columns have no value at all.
        return bind("text", anything ? values : NOTHING);
    }

    public ColumnArrays<R> numbers(Function<R, Long> value) throws SQLException {
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

    /** Bytes, given in hexadecimal. */
    public ColumnArrays<R> hex(Function<R, String> value) throws SQLException {
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

    /** The index of the first parameter that is not bound yet. */
    public int next() {
        return next;
    }
}
