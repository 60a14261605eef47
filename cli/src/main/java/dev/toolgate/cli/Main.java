package dev.toolgate.cli;

/** The entry point of the program. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(ToolgateCommand.run(args));
    }
}
