package dev.toolgate.core.schema;

/** What a tool argument refers to, so that session limits can be checked before the tool runs. */
public enum Touch {
    /** Nothing that a policy limits. */
    NOTHING("things"),
    /** A file or folder. */
    PATH("paths"),
    /** A URL, whose host is contacted. */
    URL("domains"),
    /** A shell command line. */
    COMMAND("commands");

    private final String inWords;

    Touch(String inWords) {
        this.inWords = inWords;
    }

    /** The plural noun for messages. */
    public String inWords() {
        return inWords;
    }
}
