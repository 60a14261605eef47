package dev.toolgate.store.audit.export;

import dev.toolgate.store.audit.chain.ChainEnds;
import dev.toolgate.store.audit.chain.Chains;
import dev.toolgate.store.audit.record.AuditAnchor;
import dev.toolgate.store.audit.record.AuditJsonLines;
import dev.toolgate.store.audit.record.AuditRecord;
import dev.toolgate.store.audit.record.AuditRecordJson;
import dev.toolgate.store.audit.record.CanonicalJson;
import dev.toolgate.store.audit.record.ChainHead;
import dev.toolgate.store.audit.record.ChainLink;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.Locale;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes the lines of an export, in an order that can be verified in one pass. */
final class ExportWriter {
    static final int VERSION = 1;

    private final AuditJsonLines lines;

    ExportWriter(OutputStream out) {
        lines = new AuditJsonLines(out);
    }

    long write(Chains chains, Instant now) throws IOException {
        lines.line(line("audit_export")
                .put("version", VERSION)
                .put("extent", chains.extent().name().toLowerCase(Locale.ROOT))
                .put("created_at", now.toString()));
        chains.ends().forEach(this::end);
        chains.claims().forEach(claim -> lines.line(head(line("claim"), claim)));
        long records = 0;
        while (chains.entries().hasNext()) {
            switch (chains.entries().next()) {
                case AuditRecord record -> {
                    lines.line(line("record").setAll(AuditRecordJson.write(record)));
                    records++;
                }
                case AuditAnchor anchor -> anchor(anchor);
            }
        }
        lines.line(line("end").put("records", records));
        lines.flush();
        return records;
    }

    private void end(ChainEnds ends) {
        ObjectNode node = line("chain")
                .put("instance_id", ends.instanceId().toString())
                .put("pruned_sequence", ends.prunedSequence())
                .put("pruned_hash", ends.prunedHash())
                .put("last_sequence", ends.lastSequence())
                .put("last_hash", ends.lastHash());
        if (ends.prunedTree() != null) {
            ArrayNode tree = node.putArray("pruned_tree");
            ends.prunedTree().forEach(tree::add);
        }
        lines.line(node);
    }

    private void anchor(AuditAnchor anchor) {
        ChainLink link = anchor.link();
        ObjectNode node = line("anchor")
                .put("instance_id", link.instanceId().toString())
                .put("sequence", link.sequence())
                .put("previous_hash", link.previousHash())
                .put("hash", link.hash())
                .put("timestamp", anchor.at().toString());
        ArrayNode heads = node.putArray("heads");
        anchor.heads().forEach(head -> head(heads.addObject(), head));
        lines.line(node);
    }

    private static ObjectNode head(ObjectNode node, ChainHead head) {
        return node.put("instance_id", head.instanceId().toString())
                .put("sequence", head.sequence())
                .put("hash", head.hash());
    }

    private static ObjectNode line(String type) {
        return CanonicalJson.EXACT.createObjectNode().put("type", type);
    }
}
