package dev.toolgate.cli.audit;

import dev.toolgate.cli.client.RequestTarget;
import dev.toolgate.cli.terminal.WrongUsage;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The filter options for audit records. */
final class AuditFilters {
    @Option(names = "--agent", paramLabel = "AGENT", description = "Only records of this agent.")
    private @Nullable String agent;

    @Option(names = "--tool", paramLabel = "TOOL", description = "Only records of this tool.")
    private @Nullable String tool;

    @Option(names = "--project", paramLabel = "PROJECT", description = "Only records of this project.")
    private @Nullable String project;

    @Option(names = "--request", paramLabel = "ID", description = "Only records of this request id.")
    private @Nullable String request;

    @Option(names = "--session", paramLabel = "ID", description = "Only calls of this policy session.")
    private @Nullable String session;

    @Option(names = "--conversation", paramLabel = "ID", description = "Only calls of this conversation.")
    private @Nullable String conversation;

    @Option(
            names = "--status",
            paramLabel = "STATUS",
            description = "Only calls that ended like this: completed, failed, refused or interrupted.")
    private @Nullable String status;

    @Option(names = "--error", paramLabel = "CODE", description = "Only calls that ended with this error code.")
    private @Nullable String error;

    @Option(names = "--principal", paramLabel = "NAME", description = "Only calls with this key or token.")
    private @Nullable String principal;

    @Option(names = "--allowed", description = "Only calls that were allowed.")
    private boolean allowed;

    @Option(names = "--denied", description = "Only calls that were refused.")
    private boolean denied;

    @Option(
            names = "--text",
            paramLabel = "TEXT",
            description = "Only records with this text in parameters, reason or result.")
    private @Nullable String text;

    @Mixin
    private Period period = new Period();

    /** Adds the filters to a request. */
    RequestTarget into(RequestTarget target) {
        if (allowed && denied) {
            throw new WrongUsage("give either --allowed or --denied, not both");
        }
        return period.into(target)
                .with("agent_id", agent)
                .with("tool_name", tool)
                .with("project_id", project)
                .with("request_id", request)
                .with("session_id", session)
                .with("conversation_id", conversation)
                .with("status", upper(status))
                .with("error_code", upper(error))
                .with("principal", principal)
                .with("allowed", (allowed || denied) ? Boolean.valueOf(allowed) : null)
                .with("q", text);
    }

    private static @Nullable String upper(@Nullable String name) {
        return name == null ? null : name.toUpperCase(Locale.ROOT);
    }
}
