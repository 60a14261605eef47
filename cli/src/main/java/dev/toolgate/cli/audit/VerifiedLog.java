package dev.toolgate.cli.audit;

import dev.toolgate.cli.terminal.PrintableText;
import dev.toolgate.cli.terminal.ResultPrinter;
import dev.toolgate.core.json.Json;
import dev.toolgate.store.audit.chain.AuditChain;
import dev.toolgate.store.audit.export.AuditExport;
import dev.toolgate.store.checkpoint.KnownCheckpoints;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The result of verifying an audit log, by the server or from a file. */
record VerifiedLog(JsonNode report) {

    /** Verifies an export and compares it with checkpoints, without a server. */
    static VerifiedLog of(Path file, KnownCheckpoints checkpoints) throws IOException {
        try (InputStream export = Files.newInputStream(file)) {
            return new VerifiedLog(json(AuditExport.verify(export, checkpoints)));
        } catch (NoSuchFileException missing) {
            throw new IOException("there is no file " + file, missing);
        }
    }

    private static JsonNode json(AuditChain.Report report) {
        ObjectNode json = Json.MAPPER.createObjectNode();
        json.put("records", report.records()).put("intact", report.isWhole()).put("checkpoints", report.checkpoints());
        ArrayNode faults = json.putArray("faults");
        report.faults().forEach(fault -> faults.addObject()
                .put("kind", fault.kind().name().toLowerCase(Locale.ROOT))
                .put("instance_id", fault.instanceId().toString())
                .put("sequence", fault.sequence()));
        return json;
    }

    /** Prints the result; returns 0 if the log is intact, else 1. */
    int print(ResultPrinter output) throws IOException {
        output.print(report, this::text);
        return report.path("intact").asBoolean(false) ? 0 : 1;
    }

    private String text() {
        long compared = report.path("checkpoints").asLong(0);
        String records = PrintableText.of(report.path("records")) + " records"
                + (compared == 0 ? "" : ", compared with " + compared + " signed checkpoints");
        if (report.path("intact").asBoolean(false)) {
            return records + ", all unchanged.";
        }
        StringBuilder text = new StringBuilder(records + "; the log was CHANGED:");
        report.path("faults").valueStream().forEach(fault -> text.append("\n  ")
                .append(PrintableText.of(fault.path("kind")).toLowerCase(Locale.ROOT))
                .append(" at or before record ")
                .append(PrintableText.of(fault.path("sequence")))
                .append(" of instance ")
                .append(PrintableText.of(fault.path("instance_id"))));
        return text.toString();
    }
}
