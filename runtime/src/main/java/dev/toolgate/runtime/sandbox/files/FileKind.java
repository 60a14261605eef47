package dev.toolgate.runtime.sandbox.files;

/** What kind of thing a name stands for. */
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

    /** The kind in plain words. */
    public String word() {
        return word;
    }
}
