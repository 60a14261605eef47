package dev.toolgate.runtime.sandbox.files;

/** The type of a directory entry. */
public enum FileKind {
    FILE("file"),
    FOLDER("folder"),
    LINK("symbolic link"),
    FIFO("named pipe"),
    DEVICE("device"),
    SOCKET("socket"),
    OTHER("special file");

    private final String word;

    FileKind(String word) {
        this.word = word;
    }

    /** The kind for messages. */
    public String word() {
        return word;
    }
}
