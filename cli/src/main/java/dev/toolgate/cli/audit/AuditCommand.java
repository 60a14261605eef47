package dev.toolgate.cli.audit;

import dev.toolgate.cli.client.Api;
import dev.toolgate.cli.client.ExportDownload;
import dev.toolgate.cli.client.ReasonOption;
import dev.toolgate.cli.client.RequestTarget;
import dev.toolgate.cli.client.ServerOptions;
import dev.toolgate.cli.terminal.ListLimit;
import dev.toolgate.cli.terminal.PrintableText;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code toolgate audit}: reads, exports and verifies the audit log, and undoes changes from their records. */
@Command(
        name = "audit",
        description = "Read, export and verify the audit log, and undo changes.",
        mixinStandardHelpOptions = true)
public final class AuditCommand {

    @Command(description = "List records, newest first.", mixinStandardHelpOptions = true)
    public int list(
            @Mixin ServerOptions server,
            @Mixin AuditFilters filters,
            @Mixin ListLimit limit,
            @Option(
                            names = {"-f", "--follow"},
                            description = "Then print new records as they are written.")
                    boolean follow)
            throws IOException {
        try (Api api = server.api()) {
            if (follow) {
                new RecordFollower(api, server.output()).follow(filters, limit.max());
                return 0;
            }
            JsonNode records = api.list(filters.into(RequestTarget.api("audit", "logs")), limit.max());
            server.output().print(records, RecordColumns.OF_RECORDS, "There are no matching records.");
            return 0;
        }
    }

    @Command(
            description = {
                "Write all matching records to a file or to standard output.",
                "The format chains is the whole log, for 'toolgate audit verify FILE'."
            },
            mixinStandardHelpOptions = true)
    public int export(
            @Mixin ServerOptions server,
            @Mixin AuditFilters filters,
            @Option(
                            names = "--format",
                            paramLabel = "FORMAT",
                            defaultValue = "jsonl",
                            description = "csv, jsonl (default) or chains.")
                    ExportFormat format,
            @Option(
                            names = {"-o", "--output"},
                            paramLabel = "FILE",
                            description = "The file; it is created only when the export is complete.")
                    @Nullable
                    Path file)
            throws IOException {
        try (Api api = server.api()) {
            ExportDownload.of(api.open(format.target(filters)), server).to(file);
            return 0;
        }
    }

    @Command(
            description = "Verify that the log was not changed; exits with 1 if it was.",
            mixinStandardHelpOptions = true)
    public int verify(
            @Mixin ServerOptions server,
            @Parameters(
                            arity = "0..1",
                            paramLabel = "FILE",
                            description =
                                    "Verify this export in the format chains, compressed or not, without a server.")
                    @Nullable
                    Path file,
            @Mixin CheckpointOptions checkpoints)
            throws IOException {
        if (file != null) {
            return VerifiedLog.of(file, checkpoints.known()).print(server.output());
        }
        try (Api api = server.api()) {
            return new VerifiedLog(api.getWithoutTimeout(RequestTarget.api("audit", "verify"))).print(server.output());
        }
    }

    @Command(
            description = {
                "Undo the change of a record, if nothing has changed since.",
                "For file_write, file_delete, memory_save and memory_delete. The undo is a call of the same agent, with a"
                        + " record of its own."
            },
            mixinStandardHelpOptions = true)
    public int undo(
            @Mixin ServerOptions server,
            @Parameters(paramLabel = "ID", description = "The id of the record; 'toolgate audit list --json' shows it.")
                    String id,
            @Option(names = "--dry-run", description = "Only show what it would do.") boolean dryRun,
            @Mixin ReasonOption reason)
            throws IOException {
        try (Api api = server.api()) {
            return new UndoneChange(api, server.output()).run(id, dryRun, reason);
        }
    }

    @Command(
            description = "Recount all records, for histograms, facets and usage; the log itself is not changed.",
            mixinStandardHelpOptions = true)
    public int rollup(@Mixin ServerOptions server) throws IOException {
        try (Api api = server.api()) {
            JsonNode answer = api.postWithoutTimeout(RequestTarget.api("audit", "rollup"));
            server.output().print(answer, () -> PrintableText.of(answer.path("records")) + " records counted.");
            return 0;
        }
    }

    @Command(
            description = "Show the signing keys, the newest checkpoints, and where they are stored.",
            mixinStandardHelpOptions = true)
    public int checkpoints(@Mixin ServerOptions server) throws IOException {
        try (Api api = server.api()) {
            JsonNode answer = api.get(RequestTarget.api("audit", "checkpoints"));
            server.output().print(answer, () -> CheckpointOptions.text(answer));
            return 0;
        }
    }

    @Command(
            description = "Show what calls have cost, by agent, tool or day; default: the last 30 days.",
            mixinStandardHelpOptions = true)
    public int costs(
            @Mixin ServerOptions server,
            @Option(
                            names = "--by",
                            paramLabel = "WHAT",
                            defaultValue = "agent",
                            description = "agent (default), tool or day (UTC).")
                    String by,
            @Mixin Period period)
            throws IOException {
        try (Api api = server.api()) {
            JsonNode answer =
                    api.get(period.into(RequestTarget.api("audit", "costs").with("group_by", by)));
            JsonNode costs = answer.path("costs");
            server.output()
                    .print(
                            answer,
                            () -> costs.isEmpty()
                                    ? "No call of that time had a cost; set costs by tool in toolgate.yaml."
                                    : RecordColumns.OF_COSTS.table(costs));
            return 0;
        }
    }
}
