package dev.toolgate.cli.audit;

import dev.toolgate.cli.client.Api;
import dev.toolgate.cli.client.ExportDownload;
import dev.toolgate.cli.client.RequestTarget;
import dev.toolgate.cli.client.ServerOptions;
import dev.toolgate.cli.terminal.Length;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code toolgate audit}: the record of every call. */
@Command(
        name = "audit",
        description = "Read, export and verify the record of every call.",
        mixinStandardHelpOptions = true)
public final class AuditCommand {

    @Command(description = "List records, newest first.", mixinStandardHelpOptions = true)
    public int list(
            @Mixin ServerOptions server,
            @Mixin AuditFilters filters,
            @Mixin Length length,
            @Option(
                            names = {"-f", "--follow"},
                            description = "Go on with new records as they come, newest last.")
                    boolean follow)
            throws IOException {
        try (Api api = server.api()) {
            if (follow) {
                new RecordFollower(api, server.output()).follow(filters, length.most());
                return 0;
            }
            JsonNode records = api.list(filters.into(RequestTarget.api("audit", "logs")), length.most());
            server.output().print(records, RecordColumns.OF_RECORDS, "There are no such records.");
            return 0;
        }
    }

    @Command(
            description = {
                "Write all matching records to a file or to standard output.",
                "The format chains is the whole log as 'toolgate audit verify FILE' can check it."
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
                            description = "The file; it appears when it is complete.")
                    @Nullable
                    Path file)
            throws IOException {
        try (Api api = server.api()) {
            ExportDownload.of(api.open(format.target(filters)), server).to(file);
            return 0;
        }
    }

    @Command(
            description = "Find out whether the log is exactly what was written; exits with 1 if it is not.",
            mixinStandardHelpOptions = true)
    public int verify(
            @Mixin ServerOptions server,
            @Parameters(
                            arity = "0..1",
                            paramLabel = "FILE",
                            description =
                                    "An export in the format chains, compressed or not; no server is needed then.")
                    @Nullable
                    Path file,
            @Mixin CheckpointOptions checkpoints)
            throws IOException {
        if (file != null) {
            return VerifiedLog.of(file, checkpoints.known()).print(server.output());
        }
        try (Api api = server.api()) {
            return new VerifiedLog(api.getPatiently(RequestTarget.api("audit", "verify"))).print(server.output());
        }
    }

    @Command(
            description =
                    "Show the keys that sign checkpoints of the log, the newest checkpoints, and where they are kept.",
            mixinStandardHelpOptions = true)
    public int checkpoints(@Mixin ServerOptions server) throws IOException {
        try (Api api = server.api()) {
            JsonNode answer = api.get(RequestTarget.api("audit", "checkpoints"));
            server.output().print(answer, () -> CheckpointOptions.text(answer));
            return 0;
        }
    }

    @Command(
            description = "What calls have cost, by agent or by tool; of the last 30 days, or since then.",
            mixinStandardHelpOptions = true)
    public int costs(
            @Mixin ServerOptions server,
            @Option(
                            names = "--by",
                            paramLabel = "WHAT",
                            defaultValue = "agent",
                            description = "agent (default) or tool.")
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
                                    ? "No call of that time had a cost; costs are set by tool in toolgate.yaml."
                                    : RecordColumns.OF_COSTS.table(costs));
            return 0;
        }
    }
}
