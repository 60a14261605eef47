package dev.toolgate.core.undo;

import java.util.Arrays;

/** The state of a file or a memory item at one moment. */
public sealed interface KeptState {

    /** It did not exist. */
    record Absent() implements KeptState {}

    /**
     * It had this content.
     *
     * @param content must not be modified
     * @param mode the permission bits of a file; 0 for others
     */
    @SuppressWarnings("ArrayRecordComponent") // compared by isSameAs
    record Present(byte[] content, int mode) implements KeptState {}

    /** Whether both have the same content; permission bits are ignored. */
    default boolean isSameAs(KeptState other) {
        return switch (this) {
            case Absent absent -> other instanceof Absent;
            case Present present -> other instanceof Present that && Arrays.equals(present.content(), that.content());
        };
    }

    /** The number of bytes. */
    default int size() {
        return this instanceof Present present ? present.content().length : 0;
    }
}
