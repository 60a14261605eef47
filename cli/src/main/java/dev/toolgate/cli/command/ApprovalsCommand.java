package dev.toolgate.cli.command;

import dev.toolgate.cli.client.Api;
import dev.toolgate.cli.client.ReasonOption;
import dev.toolgate.cli.client.RequestTarget;
import dev.toolgate.cli.client.ServerOptions;
import dev.toolgate.cli.terminal.Columns;
import dev.toolgate.cli.terminal.ListLimit;
import dev.toolgate.cli.terminal.Moment;
import dev.toolgate.cli.terminal.PrintableText;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.time.Clock;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code toolgate approvals}: lists and answers approval requests. */
@Command(
        name = "approvals",
        description = "List calls that wait for an approval, and answer.",
        mixinStandardHelpOptions = true)
public final class ApprovalsCommand {
    static final Columns COLUMNS = new Columns()
            .field("APPROVAL", "approval_id")
            .field("STATE", "state")
            .field("AGENT", "agent_id")
            .field("TOOL", "tool_name")
            .time("ASKED", "asked_at")
            .time("UNTIL", "expires_at")
            .field("BY", "answered_by")
            .field("REASON", "reason");
    private static final Columns STANDING = new Columns()
            .field("STANDING", "standing_id")
            .field("AGENT", "agent_id")
            .field("TOOL", "tool_name")
            .field("SESSION", "session_id")
            .field("BY", "granted_by")
            .time("SINCE", "created_at")
            .time("UNTIL", "expires_at")
            .field("REASON", "reason")
            .cell("COVERS", standing -> standing.path("causes")
                    .valueStream()
                    .map(cause -> PrintableText.of(cause.path("reason")))
                    .collect(Collectors.joining("; ")));

    @Command(description = "List the waiting calls, newest first.", mixinStandardHelpOptions = true)
    public int list(
            @Mixin ServerOptions server,
            @Option(
                            names = "--state",
                            paramLabel = "STATE",
                            defaultValue = "pending",
                            description = "pending (default), approved, denied, timed_out, withdrawn or all.")
                    String state,
            @Option(names = "--agent", paramLabel = "AGENT", description = "Only calls of this agent.") @Nullable
                    String agent,
            @Option(names = "--tool", paramLabel = "TOOL", description = "Only calls of this tool.") @Nullable
                    String tool,
            @Mixin ListLimit limit)
            throws IOException {
        RequestTarget target = RequestTarget.api("approvals")
                .with("state", state.equals("all") ? null : state)
                .with("agent_id", agent)
                .with("tool_name", tool);
        try (Api api = server.api()) {
            server.output()
                    .print(
                            api.list(target, limit.max()),
                            COLUMNS,
                            state.equals("pending")
                                    ? "No calls wait for an approval."
                                    : "There are no matching approvals.");
            return 0;
        }
    }

    @Command(description = "Show one approval request, with a preview of the call.", mixinStandardHelpOptions = true)
    public int show(
            @Mixin ServerOptions server, @Parameters(paramLabel = "APPROVAL", description = "Its id.") String approval)
            throws IOException {
        try (Api api = server.api()) {
            JsonNode found = api.get(RequestTarget.api("approvals", approval));
            server.output().print(found, () -> ApprovalCard.of(found));
            return 0;
        }
    }

    @Command(description = "Approve this call, or the tool from now on.", mixinStandardHelpOptions = true)
    public int approve(
            @Mixin ServerOptions server,
            @Parameters(paramLabel = "APPROVAL", description = "Its id.") String approval,
            @Option(
                            names = "--scope",
                            paramLabel = "SCOPE",
                            defaultValue = "once",
                            description = "once (default), session or agent.")
                    String scope,
            @Option(
                            names = "--for",
                            paramLabel = "LENGTH",
                            description =
                                    "How long an approval for a session or agent is valid: 8h, 90d; default: no end.")
                    @Nullable
                    String lifetime,
            @Mixin ReasonOption reason)
            throws IOException {
        ObjectNode body = Json.MAPPER.createObjectNode().put("approved", true).put("scope", scope);
        if (lifetime != null) {
            body.put("expires_at", Moment.after(lifetime, Clock.systemUTC()).toString());
        }
        reason.into(body);
        return answer(server, approval, body, "approved");
    }

    @Command(description = "Deny this call.", mixinStandardHelpOptions = true)
    public int deny(
            @Mixin ServerOptions server,
            @Parameters(paramLabel = "APPROVAL", description = "Its id.") String approval,
            @Mixin ReasonOption reason)
            throws IOException {
        ObjectNode body = Json.MAPPER.createObjectNode().put("approved", false);
        reason.into(body);
        return answer(server, approval, body, "denied");
    }

    private static int answer(ServerOptions server, String approval, ObjectNode body, String done) throws IOException {
        try (Api api = server.api()) {
            JsonNode answered = api.send("POST", RequestTarget.api("approvals", approval), body);
            server.output()
                    .print(
                            answered,
                            () -> "Call " + PrintableText.of(answered.path("request_id")) + " of agent "
                                    + PrintableText.of(answered.path("agent_id")) + " "
                                    + (answered.path("state").asString().equals("pending")
                                            ? "has " + ApprovalCard.approvals(answered) + ", and waits for the rest"
                                            : done)
                                    + ".");
            return 0;
        }
    }

    @Command(
            description = "List the standing approvals of sessions and agents, or revoke one.",
            mixinStandardHelpOptions = true)
    public int standing(
            @Mixin ServerOptions server,
            @Option(names = "--revoke", paramLabel = "STANDING", description = "Revoke this one.") @Nullable
                    String revoke,
            @Mixin ListLimit limit)
            throws IOException {
        try (Api api = server.api()) {
            if (revoke == null) {
                server.output()
                        .print(
                                api.list(RequestTarget.api("approvals", "standing"), limit.max()),
                                STANDING,
                                "There are no standing approvals.");
            } else {
                JsonNode gone = api.delete(RequestTarget.api("approvals", "standing", revoke));
                server.output().print(gone, () -> "Standing approval " + PrintableText.of(revoke) + " revoked.");
            }
            return 0;
        }
    }

    @Command(
            description = "Print the waiting calls, and then requests and answers as they happen.",
            mixinStandardHelpOptions = true)
    public int watch(@Mixin ServerOptions server, @Mixin ListLimit limit) throws IOException {
        try (Api api = server.api()) {
            new ApprovalWatch(api, server.output()).follow(limit.max());
            return 0;
        }
    }
}
