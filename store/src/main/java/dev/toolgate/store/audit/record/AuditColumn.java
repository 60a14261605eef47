package dev.toolgate.store.audit.record;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One column of the audit log: all that SQL, JSON, CSV, the API document and the digest need to know of it.
 *
 * @param presence whether every record has a value
 * @param place whether the intent of a call has it too
 * @param before what records have that were written before there was such a column
 * @param reference the schema of the API document that describes its values; {@code null} for one of its type
 * @param example as JSON
 */
public record AuditColumn<T>(
        String name,
        ColumnType<T> type,
        Function<CallFacts, @Nullable T> value,
        Presence presence,
        Place place,
        @Nullable T before,
        @Nullable String reference,
        @Nullable String description,
        String example) {

    /** Whether every record has a value in this column. */
    enum Presence {
        REQUIRED,
        OPTIONAL
    }

    /** Which tables have this column. */
    public enum Place {
        /** What is known before a call starts. */
        INTENT_AND_RECORD,
        /** What is known once it has ended. */
        RECORD
    }

    static <T> AuditColumn<T> required(String name, ColumnType<T> type, Function<CallFacts, @Nullable T> value) {
        return new AuditColumn<>(name, type, value, Presence.REQUIRED, Place.RECORD, null, null, null, "null");
    }

    static <T> AuditColumn<T> optional(String name, ColumnType<T> type, Function<CallFacts, @Nullable T> value) {
        return new AuditColumn<>(name, type, value, Presence.OPTIONAL, Place.RECORD, null, null, null, "null");
    }

    /** The same, also known before a call starts. */
    AuditColumn<T> ofIntent() {
        return new AuditColumn<>(
                name, type, value, presence, Place.INTENT_AND_RECORD, before, reference, description, example);
    }

    /** The same, with what records from before have. */
    AuditColumn<T> before(T oldValue) {
        return new AuditColumn<>(name, type, value, presence, place, oldValue, reference, description, example);
    }

    /** The same, described by a schema of the API document. */
    AuditColumn<T> like(String schema) {
        return new AuditColumn<>(name, type, value, presence, place, before, schema, description, example);
    }

    /** The same, with a sentence about it. */
    AuditColumn<T> saying(String newDescription) {
        return new AuditColumn<>(name, type, value, presence, place, before, reference, newDescription, example);
    }

    /** The same, with a value in the API document's example. */
    AuditColumn<T> example(String json) {
        return new AuditColumn<>(name, type, value, presence, place, before, reference, description, json);
    }

    /** The value as the digest reads it; {@code null} if there is none. */
    @Nullable
    public String text(CallFacts facts) {
        T is = value.apply(facts);
        return is == null ? null : type.text(is);
    }

    @Nullable
    public T read(ResultSet row) throws SQLException {
        return type.read(row, name);
    }

    void write(CallFacts facts, ObjectNode node) {
        T is = value.apply(facts);
        node.set(name, is == null ? node.nullNode() : type.json(is));
    }

    @Nullable
    public T read(JsonNode node) {
        JsonNode is = node.path(name);
        if (is.isMissingNode()) {
            return before;
        }
        return is.isNull() ? null : type.read(is);
    }
}
