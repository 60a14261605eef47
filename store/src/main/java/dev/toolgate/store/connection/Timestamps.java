package dev.toolgate.store.connection;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** Reads columns of type {@code timestamptz}, which the driver offers as {@link OffsetDateTime} only. */
public final class Timestamps {
    private Timestamps() {}

    /** The time in a column that is never null. */
    public static Instant read(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    public static @Nullable Instant readNullable(ResultSet row, String column) throws SQLException {
        OffsetDateTime time = row.getObject(column, OffsetDateTime.class);
        return time == null ? null : time.toInstant();
    }
}
