package dev.toolgate.store.audit.export;

import dev.toolgate.store.audit.chain.ChainEnds;
import dev.toolgate.store.audit.chain.Chains;
import dev.toolgate.store.audit.record.AuditAnchor;
import dev.toolgate.store.audit.record.AuditRecordJson;
import dev.toolgate.store.audit.record.CanonicalJson;
import dev.toolgate.store.audit.record.ChainEntry;
import dev.toolgate.store.audit.record.ChainHead;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.NoSuchElementException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MappingIterator;

/** Reads an export line by line. */
final class ExportReader implements AutoCloseable {
    private final MappingIterator<JsonNode> lines;
    private long line;

    ExportReader(InputStream in) {
        lines = CanonicalJson.EXACT.readerFor(JsonNode.class).readValues(in);
    }

    Chains chains() {
        JsonNode first = line();
        if (!type(first).equals("audit_export") || first.path("version").intValue(0) != ExportWriter.VERSION) {
            throw damaged("is not the header of an audit export that this version supports", null);
        }
        Chains.Extent extent = read(
                first,
                node -> Chains.Extent.valueOf(
                        node.required("extent").stringValue().toUpperCase(Locale.ROOT)));
        List<ChainEnds> ends = new ArrayList<>();
        List<ChainHead> claims = new ArrayList<>();
        JsonNode node = line();
        for (; type(node).equals("chain"); node = line()) {
            ends.add(read(node, ExportReader::ends));
        }
        for (; type(node).equals("claim"); node = line()) {
            claims.add(read(node, ExportReader::head));
        }
        return new Chains(extent, ends, claims, new Entries(node));
    }

    private final class Entries implements Iterator<ChainEntry> {
        private @Nullable ChainEntry next;

        Entries(JsonNode first) {
            next = entry(first);
        }

        @Override
        public boolean hasNext() {
            return next != null;
        }

        @Override
        public ChainEntry next() {
            ChainEntry current = next;
            if (current == null) {
                throw new NoSuchElementException();
            }
            next = entry(line());
            return current;
        }
    }

    private @Nullable ChainEntry entry(JsonNode node) {
        return switch (type(node)) {
            case "record" -> read(node, AuditRecordJson::read);
            case "anchor" ->
                read(
                        node,
                        anchor -> new AuditAnchor(
                                AuditRecordJson.link(anchor),
                                Instant.parse(anchor.required("timestamp").stringValue()),
                                anchor.required("heads")
                                        .valueStream()
                                        .map(ExportReader::head)
                                        .toList()));
            case "end" -> {
                if (lines.hasNextValue()) {
                    throw damaged("is the end line, but more lines follow", null);
                }
                yield null;
            }
            default -> throw damaged("has an unexpected type", null);
        };
    }

    private static ChainEnds ends(JsonNode node) {
        return new ChainEnds(
                id(node),
                node.required("pruned_sequence").longValue(),
                node.required("pruned_hash").stringValue(),
                tree(node),
                node.required("last_sequence").longValue(),
                node.required("last_hash").stringValue());
    }

    // Exports from before checkpoints existed have none.
    private static @Nullable List<String> tree(JsonNode node) {
        if (!node.has("pruned_tree")) {
            return null;
        }
        List<String> hashes = node.required("pruned_tree")
                .valueStream()
                .map(JsonNode::stringValue)
                .toList();
        hashes.forEach(HexFormat.of()::parseHex);
        if (hashes.size() != Long.bitCount(node.required("pruned_sequence").longValue())) {
            throw new IllegalArgumentException("The pruned tree does not match the number of pruned records.");
        }
        return hashes;
    }

    private static ChainHead head(JsonNode node) {
        return new ChainHead(
                id(node),
                node.required("sequence").longValue(),
                node.required("hash").stringValue());
    }

    private static UUID id(JsonNode node) {
        return UUID.fromString(node.required("instance_id").stringValue());
    }

    private interface Reading<T> {
        T of(JsonNode node);
    }

    private <T> T read(JsonNode node, Reading<T> reading) {
        try {
            return reading.of(node);
        } catch (IllegalArgumentException | DateTimeException | JacksonException unreadable) {
            throw damaged("cannot be read", unreadable);
        }
    }

    private JsonNode line() {
        line++;
        if (!lines.hasNextValue()) {
            throw damaged("is missing: the file was truncated", null);
        }
        return lines.nextValue();
    }

    private static String type(JsonNode node) {
        return node.path("type").asString("");
    }

    private UncheckedIOException damaged(String how, @Nullable Exception why) {
        return new UncheckedIOException(new IOException("Line " + line + " of the export " + how + ".", why));
    }

    @Override
    public void close() {
        lines.close();
    }
}
