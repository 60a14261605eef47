package dev.toolgate.server.cli;

import dev.toolgate.server.cli.remote.AgentsCommand;
import dev.toolgate.server.cli.remote.ApprovalsCommand;
import dev.toolgate.server.cli.remote.AuditCommand;
import dev.toolgate.server.cli.remote.ChatCommand;
import dev.toolgate.server.cli.remote.GrantCommand;
import dev.toolgate.server.cli.remote.GroupsCommand;
import dev.toolgate.server.cli.remote.HealthCommand;
import dev.toolgate.server.cli.remote.KeyCommand;
import dev.toolgate.server.cli.remote.ModelsCommand;
import dev.toolgate.server.cli.remote.PermissionsCommand;
import dev.toolgate.server.cli.remote.RevokeCommand;
import dev.toolgate.server.cli.remote.TemplateCommand;
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
