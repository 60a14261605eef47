package dev.toolgate.cli.upstream;

import dev.toolgate.cli.client.Api;
import dev.toolgate.cli.client.ReasonOption;
import dev.toolgate.cli.client.Refusal;
import dev.toolgate.cli.client.RequestTarget;
import dev.toolgate.cli.client.ServerOptions;
import dev.toolgate.cli.terminal.Confirmation;
import dev.toolgate.cli.terminal.ListLimit;
import dev.toolgate.cli.terminal.PrintableText;
import dev.toolgate.cli.terminal.WrongUsage;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code toolgate servers}: administers the MCP servers behind the gate. */
@Command(
        name = "servers",
        description = "Administer MCP servers whose tools agents use through the gate.",
        mixinStandardHelpOptions = true)
public final class ServersCommand {
    // A server could make up a definition that has a few digits in common with another.
    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");

    private final Confirmation confirmation;

    public ServersCommand() {
        this(Confirmation::atTerminal);
    }

    ServersCommand(Confirmation confirmation) {
        this.confirmation = confirmation;
    }

    @Command(
            description =
                    "Add a server by its URL, or by the command that starts it, after '--'. It is connected to, and"
                            + " the tools that it offers are agreed to unless --no-agree is given.",
            mixinStandardHelpOptions = true)
    public int add(
            @Mixin ServerOptions server,
            @Parameters(index = "0", paramLabel = "NAME", description = "Its name; its tools are called NAME/TOOL.")
                    String name,
            @Parameters(index = "1..*", arity = "1..*", paramLabel = "URL | -- COMMAND", description = "Where it is.")
                    List<String> where,
            @Mixin NewServerOptions options,
            @Option(names = "--no-agree", description = "Let the tools wait until they are agreed to.") boolean wait,
            @Mixin ReasonOption reason)
            throws IOException {
        ObjectNode body = Json.MAPPER.createObjectNode().put("name", name);
        if (where.size() == 1 && where.getFirst().contains("://")) {
            options.intoRemote(body.put("url", where.getFirst()));
        } else {
            where.forEach(body.putArray("command")::add);
            options.intoProgram(body);
        }
        if (wait) {
            body.put("agree", false);
        }
        reason.into(body);
        try (Api api = server.api()) {
            JsonNode added = api.send("POST", servers(), body);
            server.output()
                    .print(
                            added,
                            () -> "Server " + PrintableText.of(name) + " added; its tools: " + ServerCard.counts(added)
                                    + ".\n\n" + ServerCard.of(added) + next(added));
            warn(server, added);
            return 0;
        }
    }

    // Agreeing is not granting: no agent can use a tool that it was not granted.
    private static String next(JsonNode added) {
        String name = PrintableText.of(added.path("name"));
        if (!ServerCard.waiting(added).isEmpty()) {
            return "\n\nAgree to tools with 'toolgate servers agree " + name + " TOOL'.";
        }
        return added.path("tools").isEmpty() ? "" : "\n\nGrant tools with 'toolgate grant AGENT " + name + "/TOOL'.";
    }

    private static void warn(ServerOptions server, JsonNode shown) {
        List<JsonNode> conspicuous = shown.path("tools")
                .valueStream()
                .filter(tool -> !tool.path("findings").isEmpty())
                .toList();
        conspicuous.forEach(tool -> server.err()
                .println("toolgate: warning: " + ServerCard.difference(tool).replaceAll("\n\\s*", "; ")));
        server.err().flush();
    }

    @Command(description = "List the servers.", mixinStandardHelpOptions = true)
    public int list(@Mixin ServerOptions server, @Mixin ListLimit limit) throws IOException {
        try (Api api = server.api()) {
            server.output()
                    .print(
                            api.list(servers(), limit.max()),
                            ServerCard.SERVERS,
                            "There are no MCP servers yet; add one with 'toolgate servers add NAME URL'.");
            return 0;
        }
    }

    @Command(
            description = "Show a server, its tools, and how those that wait differ from what was agreed.",
            mixinStandardHelpOptions = true)
    public int show(
            @Mixin ServerOptions server, @Parameters(paramLabel = "NAME", description = "Its name.") String name)
            throws IOException {
        try (Api api = server.api()) {
            JsonNode found = api.get(server(name));
            server.output().print(found, () -> ServerCard.of(found));
            return 0;
        }
    }

    @Command(
            description = "Connect to a server and list its tools again; what is new or has changed waits.",
            mixinStandardHelpOptions = true)
    public int refresh(
            @Mixin ServerOptions server, @Parameters(paramLabel = "NAME", description = "Its name.") String name)
            throws IOException {
        try (Api api = server.api()) {
            JsonNode found = api.send(
                    "POST", RequestTarget.api("mcp", "servers", name, "refresh"), Json.MAPPER.createObjectNode());
            server.output().print(found, () -> ServerCard.of(found));
            return 0;
        }
    }

    @Command(
            description = "Agree to tools as the server offers them now, after a look at what is new or has changed.",
            mixinStandardHelpOptions = true)
    public int agree(
            @Mixin ServerOptions server,
            @Parameters(index = "0", paramLabel = "NAME", description = "The server's name.") String name,
            @Parameters(index = "1..*", arity = "0..*", paramLabel = "TOOL", description = "The tools.") @Nullable
                    List<String> tools,
            @Option(names = "--all", description = "All tools that wait.") boolean all,
            @Option(
                            names = "--hash",
                            paramLabel = "HASH",
                            description = "Only if the tool has this hash, all 64 digits that 'servers show' prints.")
                    @Nullable
                    String hash,
            @Option(
                            names = {"-y", "--yes"},
                            description = "Do not ask: agree to what the server offers now, whatever it is.")
                    boolean yes,
            @Mixin ReasonOption reason)
            throws IOException {
        try (Api api = server.api()) {
            if (all == (tools != null)) {
                throw new WrongUsage("name the tools to agree to, or give --all");
            }
            if (hash != null && !HASH.matcher(hash).matches()) {
                throw new WrongUsage("--hash takes all 64 digits (0-9, a-f) of the hash that 'toolgate servers show "
                        + PrintableText.of(name) + "' prints, not '" + PrintableText.of(hash) + "'");
            }
            JsonNode found = api.get(server(name));
            List<JsonNode> chosen = tools == null
                    ? ServerCard.waiting(found)
                    : tools.stream().map(tool -> find(found, tool)).toList();
            if (hash != null
                    && (chosen.size() != 1
                            || !ServerCard.hash(chosen.getFirst()).equals(hash))) {
                throw new IOException(
                        "the tool does not have this hash any more; look at it with 'toolgate servers show "
                                + PrintableText.of(name) + "'");
            }
            if (hash == null && !yes && !chosen.isEmpty() && !isConfirmed(server, name, chosen)) {
                server.err().println("Nothing was agreed to.");
                return 1;
            }
            return answer(server, api, name, chosen, Verdict.AGREED, reason);
        }
    }

    // What is sent is the hash of what the person has seen here, so a definition that was swapped since 'show' is
    // noticed.
    private boolean isConfirmed(ServerOptions server, String name, List<JsonNode> tools) throws IOException {
        String shown = tools.stream().map(ServerCard::toAgree).collect(Collectors.joining("\n"));
        return confirmation
                .ask(server.err(), shown + "\nAgree to " + (tools.size() == 1 ? "this" : "these " + tools.size()) + "?")
                .orElseThrow(() -> new WrongUsage("there is no terminal to ask at; add --hash with the hash that"
                        + " 'toolgate servers show " + PrintableText.of(name) + "' prints, or --yes to agree unseen"));
    }

    @Command(description = "Refuse tools as the server offers them now.", mixinStandardHelpOptions = true)
    public int refuse(
            @Mixin ServerOptions server,
            @Parameters(index = "0", paramLabel = "NAME", description = "The server's name.") String name,
            @Parameters(index = "1..*", arity = "1..*", paramLabel = "TOOL", description = "The tools.")
                    List<String> tools,
            @Mixin ReasonOption reason)
            throws IOException {
        try (Api api = server.api()) {
            JsonNode found = api.get(server(name));
            List<JsonNode> named = tools.stream().map(tool -> find(found, tool)).toList();
            return answer(server, api, name, named, Verdict.REFUSED, reason);
        }
    }

    private enum Verdict {
        AGREED,
        REFUSED
    }

    // First by the name that agents see: the server may call another tool like that.
    private static JsonNode find(JsonNode server, String wanted) {
        return Stream.of("tool_name", "name")
                .flatMap(field -> server.path("tools")
                        .valueStream()
                        .filter(tool -> wanted.equals(tool.path(field).asString(""))))
                .findFirst()
                .orElseThrow(() -> new WrongUsage("the server has no tool '" + PrintableText.of(wanted)
                        + "'; 'toolgate servers show " + PrintableText.of(server.path("name")) + "' lists them"));
    }

    private static int answer(
            ServerOptions server, Api api, String name, List<JsonNode> tools, Verdict verdict, ReasonOption reason)
            throws IOException {
        ArrayNode answered = Json.MAPPER.createArrayNode();
        for (JsonNode tool : tools) {
            ObjectNode body = Json.MAPPER
                    .createObjectNode()
                    .put("agreed", verdict == Verdict.AGREED)
                    .put("hash", ServerCard.hash(tool));
            reason.into(body);
            answered.add(api.send(
                    "POST",
                    RequestTarget.api(
                            "mcp", "servers", name, "tools", tool.path("name").asString("")),
                    body));
        }
        server.output()
                .print(
                        answered,
                        () -> tools.isEmpty()
                                ? "No tools of server " + PrintableText.of(name) + " wait."
                                : (verdict == Verdict.AGREED ? "Agreed to:" : "Refused:") + "\n"
                                        + tools.stream()
                                                .map(ServerCard::toAgree)
                                                .collect(Collectors.joining("\n")));
        return 0;
    }

    @Command(description = "Remove a server, with everything agreed about its tools.", mixinStandardHelpOptions = true)
    public int remove(
            @Mixin ServerOptions server,
            @Parameters(paramLabel = "NAME", description = "Its name.") String name,
            @Mixin ReasonOption reason)
            throws IOException {
        try (Api api = server.api()) {
            JsonNode gone = api.delete(reason.into(server(name)));
            server.output().print(gone, () -> "Server " + PrintableText.of(name) + " removed.");
            return 0;
        }
    }

    @Command(
            name = "import",
            description = "Add the servers of a file: .mcp.json of Claude Code, mcp.json of VS Code or Cursor, or"
                    + " server.json of the MCP registry. Secrets are named as ${NAME} and never copied.",
            mixinStandardHelpOptions = true)
    public int importFile(
            @Mixin ServerOptions server,
            @Parameters(paramLabel = "FILE", description = "The file.") Path file,
            @Option(
                            names = "--egress",
                            paramLabel = "HOST",
                            description = "A host that commands of the file may reach.")
                    @Nullable
                    List<String> egress,
            @Option(names = "--no-agree", description = "Let the tools wait until they are agreed to.") boolean wait,
            @Mixin ReasonOption reason)
            throws IOException {
        List<ImportedServer> found = ServerFiles.read(file);
        int failed = 0;
        ArrayNode added = Json.MAPPER.createArrayNode();
        StringBuilder said = new StringBuilder();
        try (Api api = server.api()) {
            for (ImportedServer each : found) {
                said.append(said.isEmpty() ? "" : "\n");
                try {
                    ObjectNode body = each.body(egress == null ? List.of() : egress);
                    if (wait) {
                        body.put("agree", false);
                    }
                    reason.into(body);
                    JsonNode made = api.send("POST", servers(), body);
                    added.add(made);
                    said.append("Server ").append(PrintableText.of(each.name())).append(" added; its tools: ");
                    said.append(ServerCard.counts(made)).append('.');
                    warn(server, made);
                } catch (Refusal | ImportProblem notAdded) {
                    failed++;
                    said.append("Server ").append(PrintableText.of(each.name())).append(" was not added: ");
                    said.append(PrintableText.of(String.valueOf(notAdded.getMessage())));
                }
            }
        }
        server.output().print(added, said::toString);
        return failed == 0 ? 0 : 1;
    }

    private static RequestTarget servers() {
        return RequestTarget.api("mcp", "servers");
    }

    private static RequestTarget server(String name) {
        return RequestTarget.api("mcp", "servers", name);
    }
}
