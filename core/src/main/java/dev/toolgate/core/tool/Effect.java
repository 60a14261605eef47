package dev.toolgate.core.tool;

/** What a call leaves behind, and so whether its intent must be on record before the tool starts. */
public enum Effect {
    /** Nothing: it only reads what this installation keeps. */
    READS,
    /** It changes nothing, but sends data out: a receiver outside sees that it happened, and what was sent. */
    SENDS,
    /** It can change something. */
    CHANGES;

    /** Whether the intent goes on record first, so that not even a crash can leave an effect without a record. */
    public boolean needsIntent() {
        return switch (this) {
            case READS -> false;
            case SENDS, CHANGES -> true;
        };
    }
}
