package dev.toolgate.core.tool;

/** The side effects of a call, which determine whether its intent is recorded before the tool starts. */
public enum Effect {
    /** None: it only reads local data. */
    READS,
    /** It changes nothing but sends data out, which an external receiver sees. */
    SENDS,
    /** It can change something. */
    CHANGES;

    /** Whether the intent is recorded first, so that even after a crash no effect is unrecorded. */
    public boolean needsIntent() {
        return switch (this) {
            case READS -> false;
            case SENDS, CHANGES -> true;
        };
    }
}
