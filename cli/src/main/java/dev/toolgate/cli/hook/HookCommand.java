package dev.toolgate.cli.hook;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code toolgate hook}, for the help: the launcher runs the script instead, because Java takes too long to start for each
 * call of an agent.
 */
@Command(
        name = "hook",
        description =
                "Answer a hook of codex or cursor: reads its JSON on standard input and asks the gate. Coding agents"
                        + " run it as 'toolgate hooks install' has set them up; it starts no Java, and blocks if anything fails.",
        mixinStandardHelpOptions = true)
public final class HookCommand implements Callable<Integer> {
    private static final int BLOCKED = 2;

    @Spec
    private CommandSpec spec;

    @Parameters(arity = "0..*", paramLabel = "ARGUMENT", description = "See 'toolgate hook --help'.", hidden = true)
    private List<String> arguments = List.of();

    @Override
    public Integer call() {
        spec.commandLine()
                .getErr()
                .println("Toolgate blocked this call: 'toolgate hook " + String.join(" ", arguments)
                        + "' must be run by the launcher 'toolgate', not by Java.");
        return BLOCKED;
    }
}
