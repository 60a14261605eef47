package dev.toolgate.store.audit.record;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * One column of the audit log: everything that SQL, JSON, CSV, the API document and the digest need.
 *
 * @param presence whether every record has a value
 * @param place whether the intent of a call has it too
 * @param legacyValue the value of records that were written before the column existed
 * @param unstoredValue a value that is stored as null and left out of the digest, because nearly all records have it
 * @param schemaName the schema of the API document that describes its values; {@code null} for one of its type
 * @param example as JSON
 */
public record AuditColumn<T>(
        String name,
        ColumnType<T> type,
        Function<CallFacts, @Nullable T> value,
        Presence presence,
        Place place,
        @Nullable T legacyValue,
        @Nullable T unstoredValue,
        @Nullable String schemaName,
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
        return new AuditColumn<>(name, type, value, Presence.REQUIRED, Place.RECORD, null, null, null, null, "null");
    }

    static <T> AuditColumn<T> optional(String name, ColumnType<T> type, Function<CallFacts, @Nullable T> value) {
        return new AuditColumn<>(name, type, value, Presence.OPTIONAL, Place.RECORD, null, null, null, null, "null");
    }

    /** The same, also part of the intent, which is written before a call starts. */
    AuditColumn<T> inIntent() {
        return new AuditColumn<>(
                name,
                type,
                value,
                presence,
                Place.INTENT_AND_RECORD,
                legacyValue,
                unstoredValue,
                schemaName,
                description,
                example);
    }

    /** The same, with the value of records that were written before the column existed. */
    AuditColumn<T> withLegacyValue(T oldValue) {
        return new AuditColumn<>(
                name, type, value, presence, place, oldValue, unstoredValue, schemaName, description, example);
    }

    /** The same, with a value that nearly all records have and that is therefore not stored. */
    AuditColumn<T> withUnstoredValue(T common) {
        return new AuditColumn<>(name, type, value, presence, place, common, common, schemaName, description, example);
    }

    /** The same, described by a schema of the API document. */
    AuditColumn<T> withSchema(String schema) {
        return new AuditColumn<>(
                name, type, value, presence, place, legacyValue, unstoredValue, schema, description, example);
    }

    /** The same, with a description for the API document. */
    AuditColumn<T> describedAs(String newDescription) {
        return new AuditColumn<>(
                name, type, value, presence, place, legacyValue, unstoredValue, schemaName, newDescription, example);
    }

    /** The same, with a value in the API document's example. */
    AuditColumn<T> example(String json) {
        return new AuditColumn<>(
                name, type, value, presence, place, legacyValue, unstoredValue, schemaName, description, json);
    }

    /** Whether the column can be null in the table. */
    boolean mayBeStoredAsNone() {
        return presence == Presence.OPTIONAL || unstoredValue != null;
    }

    /** The value as the digest uses it; {@code null} if there is none. */
    @Nullable
    public String text(CallFacts facts) {
        T is = value.apply(facts);
        return is == null || is.equals(unstoredValue) ? null : type.text(is);
    }

    @Nullable
    public T read(ResultSet row) throws SQLException {
        T stored = type.read(row, name);
        return stored == null ? unstoredValue : stored;
    }

    void write(CallFacts facts, ObjectNode node) {
        T is = value.apply(facts);
        node.set(name, is == null ? node.nullNode() : type.json(is));
    }

    @Nullable
    public T read(JsonNode node) {
        JsonNode is = node.path(name);
        if (is.isMissingNode()) {
            return legacyValue;
        }
        return is.isNull() ? null : type.read(is);
    }
}
