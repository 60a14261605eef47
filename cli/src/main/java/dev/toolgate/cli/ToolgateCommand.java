package dev.toolgate.cli;

import dev.toolgate.cli.audit.AuditCommand;
import dev.toolgate.cli.chat.ChatCommand;
import dev.toolgate.cli.command.AgentsCommand;
import dev.toolgate.cli.command.ApprovalsCommand;
import dev.toolgate.cli.command.GrantCommand;
import dev.toolgate.cli.command.GroupsCommand;
import dev.toolgate.cli.command.HealthCommand;
import dev.toolgate.cli.command.KeyCommand;
import dev.toolgate.cli.command.ModelsCommand;
import dev.toolgate.cli.command.PermissionsCommand;
import dev.toolgate.cli.command.RevokeCommand;
import dev.toolgate.cli.command.TemplateCommand;
import dev.toolgate.cli.connect.ConnectCommand;
import dev.toolgate.cli.hook.HookCommand;
import dev.toolgate.cli.hook.HooksCommand;
import dev.toolgate.cli.hook.RunCommand;
import dev.toolgate.cli.local.CallCommand;
import dev.toolgate.cli.local.DoctorCommand;
import dev.toolgate.cli.local.ServeCommand;
import dev.toolgate.cli.local.ToolsCommand;
import dev.toolgate.cli.mcp.McpCommand;
import dev.toolgate.cli.terminal.StandardOutput;
import dev.toolgate.cli.terminal.WrongUsage;
import dev.toolgate.cli.upstream.ServersCommand;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code toolgate} without a command: starts the server. */
@Command(
        name = "toolgate",
        description = "The gate between AI agents and the tools they use.",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        synopsisSubcommandLabel = "COMMAND")
public final class ToolgateCommand implements Callable<Integer> {
    /** Every command under its name, in the order of the help. */
    static final Map<String, Class<?>> COMMANDS = commands();

    @Spec
    private CommandSpec spec;

    private static Map<String, Class<?>> commands() {
        Map<String, Class<?>> commands = new LinkedHashMap<>();
        commands.put("serve", ServeCommand.class);
        commands.put("tools", ToolsCommand.class);
        commands.put("call", CallCommand.class);
        commands.put("doctor", DoctorCommand.class);
        commands.put("agents", AgentsCommand.class);
        commands.put("groups", GroupsCommand.class);
        commands.put("grant", GrantCommand.class);
        commands.put("revoke", RevokeCommand.class);
        commands.put("permissions", PermissionsCommand.class);
        commands.put("template", TemplateCommand.class);
        commands.put("key", KeyCommand.class);
        commands.put("connect", ConnectCommand.class);
        commands.put("hooks", HooksCommand.class);
        commands.put("hook", HookCommand.class);
        commands.put("run", RunCommand.class);
        commands.put("mcp", McpCommand.class);
        commands.put("servers", ServersCommand.class);
        commands.put("chat", ChatCommand.class);
        commands.put("approvals", ApprovalsCommand.class);
        commands.put("models", ModelsCommand.class);
        commands.put("audit", AuditCommand.class);
        commands.put("health", HealthCommand.class);
        commands.put("help", HelpCommand.class);
        return Collections.unmodifiableMap(commands);
    }

    /**
     * Runs a command line. The server is mostly started without options; the option parser is skipped then, because the
     * AOT cache cannot hold its classes and loading it takes a tenth of the start-up time.
     *
     * @return the exit code
     */
    static int run(String... words) {
        if (words.length > 1 || (words.length == 1 && !words[0].equals("serve"))) {
            return commandLine(words).execute(words);
        }
        try {
            return new ServeCommand().call();
        } catch (IOException | InterruptedException | RuntimeException broken) {
            sayTo(new PrintWriter(System.err, true, Charset.defaultCharset()), inOneSentence(broken));
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    /**
     * The parser for these arguments; errors are single sentences. Reading the options of all commands takes a third of
     * the start-up time, so only the named command is registered, or all of them if none is named.
     */
    public static CommandLine commandLine(String... words) {
        CommandLine line = new CommandLine(new ToolgateCommand());
        String named = words.length == 0 ? "serve" : words[0];
        Class<?> only = named.equals("help") ? null : COMMANDS.get(named);
        (only == null ? COMMANDS.values() : List.of(only)).forEach(line::addSubcommand);
        return line.setOut(StandardOutput.writer())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((wrong, _) -> {
                    sayTo(wrong.getCommandLine().getErr(), inOneSentence(wrong));
                    sayTo(
                            wrong.getCommandLine().getErr(),
                            "See '" + wrong.getCommandLine().getCommandSpec().qualifiedName() + " --help'.");
                    return CommandLine.ExitCode.USAGE;
                })
                .setExecutionExceptionHandler((broken, failed, _) -> {
                    sayTo(failed.getErr(), inOneSentence(broken));
                    return broken instanceof WrongUsage ? CommandLine.ExitCode.USAGE : CommandLine.ExitCode.SOFTWARE;
                });
    }

    @Override
    public Integer call() {
        return spec.commandLine().execute("serve");
    }

    private static void sayTo(PrintWriter err, String sentence) {
        err.println("toolgate: " + sentence);
        err.flush();
    }

    private static String inOneSentence(Exception broken) {
        String message = broken.getMessage();
        return message == null || message.isBlank()
                ? "an unexpected error occurred (" + broken.getClass().getSimpleName() + ")"
                : message.lines().findFirst().orElse(message);
    }
}
