package dev.toolgate.cli.hook;

import picocli.CommandLine.Command;

/** {@code toolgate hooks}: makes the gate the hook of a coding agent. */
@Command(
        name = "hooks",
        description = "Put the own tools of a coding agent behind the gate, by its hooks.",
        mixinStandardHelpOptions = true,
        subcommands = HooksInstallCommand.class)
public final class HooksCommand {}
