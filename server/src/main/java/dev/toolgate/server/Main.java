package dev.toolgate.server;

import dev.toolgate.server.cli.ToolgateCommand;

/** Where the program starts. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(ToolgateCommand.commandLine().execute(args));
    }
}
