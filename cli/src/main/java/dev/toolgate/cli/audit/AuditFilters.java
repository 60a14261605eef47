package dev.toolgate.cli.audit;

import dev.toolgate.cli.client.RequestTarget;
import dev.toolgate.cli.terminal.WrongUsage;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which audit records are wanted. */
final class AuditFilters {
    @Option(names = "--agent", paramLabel = "AGENT", description = "Only of this agent.")
    private @Nullable String agent;

    @Option(names = "--tool", paramLabel = "TOOL", description = "Only of this tool.")
    private @Nullable String tool;

    @Option(names = "--project", paramLabel = "PROJECT", description = "Only of this project.")
    private @Nullable String project;

    @Option(names = "--request", paramLabel = "ID", description = "Only of this request.")
    private @Nullable String request;

    @Option(names = "--allowed", description = "Only calls that were let through.")
    private boolean allowed;

    @Option(names = "--denied", description = "Only calls that were refused.")
    private boolean denied;

    @Option(names = "--text", paramLabel = "TEXT", description = "Only with this text in parameters, reason or result.")
    private @Nullable String text;

    @Mixin
    private Period period = new Period();

    /** The same question, about these records only. */
    RequestTarget into(RequestTarget target) {
        if (allowed && denied) {
            throw new WrongUsage("give either --allowed or --denied, not both");
        }
        return period.into(target)
                .with("agent_id", agent)
                .with("tool_name", tool)
                .with("project_id", project)
                .with("request_id", request)
                .with("allowed", (allowed || denied) ? Boolean.valueOf(allowed) : null)
                .with("q", text);
    }
}
