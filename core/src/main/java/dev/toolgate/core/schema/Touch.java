package dev.toolgate.core.schema;

/** What an argument of a tool names, so that a session's limits on such things can be checked before the tool runs. */
public enum Touch {
    /** Nothing that a policy can limit. */
    NOTHING("things"),
    /** A file or folder. */
    PATH("paths"),
    /** A URL, whose host is reached. */
    URL("domains"),
    /** A line for the shell. */
    COMMAND("commands");

    private final String inWords;

    Touch(String inWords) {
        this.inWords = inWords;
    }

    /** The things a policy lists to limit it, for messages. */
    public String inWords() {
        return inWords;
    }
}
