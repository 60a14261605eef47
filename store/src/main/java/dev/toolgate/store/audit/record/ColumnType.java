package dev.toolgate.store.audit.record;

import dev.toolgate.core.audit.AuditLog;
import dev.toolgate.core.tool.RunsAt;
import dev.toolgate.store.connection.Timestamps;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Conversions of the values of a column.
 *
 * @param form the element type of the array that is sent to the database
 * @param sql the expression that unnests that array
 * @param schema its schema in the API document
 */
record ColumnType<T>(
        Form form,
        String sql,
        RowReader<T> fromRow,
        Function<T, String> toText,
        Function<T, JsonNode> toJson,
        Function<JsonNode, T> fromJson,
        Consumer<ObjectNode> schema) {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    static final ColumnType<String> TEXT = new ColumnType<>(
            Form.TEXT,
            "unnest(?::text[])",
            ResultSet::getString,
            text -> text,
            JSON::stringNode,
            JsonNode::stringValue,
            schema -> schema.put("type", "string"));

    static final ColumnType<Instant> TIME = new ColumnType<>(
            Form.TEXT,
            "unnest(?::text[])::timestamptz",
            Timestamps::readNullable,
            Instant::toString,
            time -> JSON.stringNode(time.toString()),
            node -> Instant.parse(node.stringValue()),
            schema -> schema.put("type", "string").put("format", "date-time"));

    static final ColumnType<Boolean> BOOLEAN = new ColumnType<>(
            Form.TEXT,
            "unnest(?::text[])::boolean",
            (row, name) -> row.getObject(name, Boolean.class),
            Object::toString,
            JSON::booleanNode,
            JsonNode::booleanValue,
            schema -> schema.put("type", "boolean"));

    static final ColumnType<Integer> INTEGER = new ColumnType<>(
            Form.TEXT,
            "unnest(?::text[])::integer",
            (row, name) -> row.getObject(name, Integer.class),
            Object::toString,
            JSON::numberNode,
            JsonNode::intValue,
            schema -> schema.put("type", "integer").put("minimum", 0));

    static final ColumnType<BigDecimal> DECIMAL = new ColumnType<>(
            Form.TEXT,
            "unnest(?::text[])::numeric",
            ResultSet::getBigDecimal,
            BigDecimal::toPlainString,
            JSON::numberNode,
            JsonNode::decimalValue,
            schema -> schema.put("type", "number").put("minimum", 0));

    /** Canonical JSON: text in Java, an object in JSON and in the database. */
    static final ColumnType<String> OBJECT = new ColumnType<>(
            Form.TEXT,
            "unnest(?::text[])::jsonb",
            (row, name) -> CanonicalJson.of(row.getString(name)),
            text -> text,
            CanonicalJson.EXACT::readTree,
            node -> CanonicalJson.of(node.toString()),
            schema -> schema.put("type", "object"));

    static final ColumnType<AuditLog.Status> STATUS =
            enumeration(List.of(AuditLog.Status.values()), AuditLog.Status::name, AuditLog.Status::valueOf);

    static final ColumnType<AuditLog.Kind> KIND =
            enumeration(List.of(AuditLog.Kind.values()), AuditLog.Kind::wireName, ColumnType::kind);

    static final ColumnType<RunsAt> PLACE = enumeration(List.of(RunsAt.values()), RunsAt::wireName, ColumnType::place);

    /** The element type of an array parameter. */
    enum Form {
        TEXT,
        /** Since the epoch. */
        MICROSECONDS
    }

    /** Reads a column of a row. */
    interface RowReader<T> {
        @Nullable
        T read(ResultSet row, String name) throws SQLException;
    }

    /** The record's own timestamp: sent in binary form, because every record has one and its range is known. */
    static ColumnType<Instant> recordTime() {
        return new ColumnType<>(
                Form.MICROSECONDS,
                ColumnArrays.TIME + "unnest(?::bigint[])",
                TIME.fromRow,
                TIME.toText,
                TIME.toJson,
                TIME.fromJson,
                TIME.schema);
    }

    String text(T value) {
        return toText.apply(value);
    }

    JsonNode json(T value) {
        return toJson.apply(value);
    }

    @Nullable
    T read(ResultSet row, String name) throws SQLException {
        return fromRow.read(row, name);
    }

    T read(JsonNode node) {
        return fromJson.apply(node);
    }

    private static <E> ColumnType<E> enumeration(List<E> all, Function<E, String> name, Function<String, E> value) {
        return new ColumnType<>(
                Form.TEXT,
                TEXT.sql,
                (row, column) -> {
                    String stored = row.getString(column);
                    return stored == null ? null : value.apply(stored);
                },
                name,
                is -> JSON.stringNode(name.apply(is)),
                node -> value.apply(node.stringValue()),
                schema -> all.forEach(each -> schema.withArray("enum").add(name.apply(each))));
    }

    private static RunsAt place(String name) {
        return Arrays.stream(RunsAt.values())
                .filter(place -> place.wireName().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Unknown place of a tool: '" + name + "'."));
    }

    private static AuditLog.Kind kind(String name) {
        return Arrays.stream(AuditLog.Kind.values())
                .filter(kind -> kind.wireName().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("Unknown kind of record: '" + name + "'."));
    }
}
