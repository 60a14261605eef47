package dev.toolgate.store.audit.record;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The JSON form of a record, the same in responses, streams, exports and archives. */
public final class AuditRecordJson {
    /** The names of its fields, in order. New ones are appended, so that the columns of CSV exports do not move. */
    public static final List<String> NAMES = Stream.of(
                    Stream.of("id"),
                    AuditColumns.FIRST.stream().map(AuditColumn::name),
                    Stream.of("instance_id", "sequence", "hash", "previous_hash"),
                    AuditColumns.ADDED.stream().map(AuditColumn::name))
            .flatMap(names -> names)
            .toList();

    private AuditRecordJson() {}

    public static ObjectNode write(AuditRecord record) {
        ChainLink link = record.link();
        ObjectNode node = CanonicalJson.EXACT.createObjectNode();
        node.put("id", record.id());
        AuditColumns.FIRST.forEach(column -> column.write(record.call(), node));
        node.put("instance_id", link.instanceId().toString());
        node.put("sequence", link.sequence());
        node.put("hash", link.hash());
        node.put("previous_hash", link.previousHash());
        AuditColumns.ADDED.forEach(column -> column.write(record.call(), node));
        return node;
    }

    /** Reads what {@link #write} has written; throws if it is something else. */
    public static AuditRecord read(JsonNode node) {
        try {
            return new AuditRecord(node.required("id").longValue(), CallFacts.read(new Fields(node)), link(node));
        } catch (SQLException impossible) {
            throw new IllegalStateException(impossible); // JSON is read without a database
        }
    }

    public static ChainLink link(JsonNode node) {
        return new ChainLink(
                UUID.fromString(node.required("instance_id").stringValue()),
                node.required("sequence").longValue(),
                node.required("previous_hash").stringValue(),
                node.required("hash").stringValue());
    }

    private record Fields(JsonNode node) implements CallFacts.Values {
        @Override
        public <T> @Nullable T get(AuditColumn<T> column) {
            return column.read(node);
        }
    }
}
