package dev.toolgate.cli;

/** Where the program starts. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(ToolgateCommand.commandLine().execute(args));
    }
}
