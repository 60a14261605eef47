package dev.toolgate.store.audit;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Binds a list of rows column by column, so that any number of rows is one statement. */
final class ColumnArrays<R> {
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

    ColumnArrays<R> column(Function<R, @Nullable Object> value) throws SQLException {
        @Nullable Object[] values = new @Nullable Object[rows.size()];
        for (int i = 0; i < values.length; i++) {
            Object cell = value.apply(rows.get(i));
            values[i] = cell == null ? null : cell.toString();
        }
        statement.setArray(next++, connection.createArrayOf("text", values));
        return this;
    }

    /** The first parameter that has not been bound. */
    int next() {
        return next;
    }
}
