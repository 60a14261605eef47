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
import dev.toolgate.cli.local.CallCommand;
import dev.toolgate.cli.local.DoctorCommand;
import dev.toolgate.cli.local.ServeCommand;
import dev.toolgate.cli.local.ToolsCommand;
import dev.toolgate.cli.terminal.StandardOutput;
import dev.toolgate.cli.terminal.WrongUsage;
import java.io.PrintWriter;
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
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            ServeCommand.class,
            ToolsCommand.class,
            CallCommand.class,
            DoctorCommand.class,
            AgentsCommand.class,
            GroupsCommand.class,
            GrantCommand.class,
            RevokeCommand.class,
            PermissionsCommand.class,
            TemplateCommand.class,
            KeyCommand.class,
            ChatCommand.class,
            ApprovalsCommand.class,
            ModelsCommand.class,
            AuditCommand.class,
            HealthCommand.class,
            HelpCommand.class
        })
public final class ToolgateCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    /** The whole command line, with errors as single sentences. */
    public static CommandLine commandLine() {
        return new CommandLine(new ToolgateCommand())
                .setOut(StandardOutput.writer())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setParameterExceptionHandler((wrong, _) -> {
                    sayTo(wrong.getCommandLine().getErr(), inOneSentence(wrong));
                    sayTo(
                            wrong.getCommandLine().getErr(),
                            "See '" + wrong.getCommandLine().getCommandSpec().qualifiedName() + " --help'.");
                    return CommandLine.ExitCode.USAGE;
                })
                .setExecutionExceptionHandler((broken, line, _) -> {
                    sayTo(line.getErr(), inOneSentence(broken));
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
                ? "something went wrong that should not (" + broken.getClass().getSimpleName() + ")"
                : message.lines().findFirst().orElse(message);
    }
}
