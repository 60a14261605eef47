package dev.toolgate.core.artifact;

/** Which bytes of an artifact are wanted. */
public record ByteRange(long first, long length) {
    public ByteRange {
        if (first < 0 || length < 0) {
            throw new IllegalArgumentException("A range begins at 0 or later and is not shorter than nothing.");
        }
    }

    /** All bytes of something with this many. */
    public static ByteRange whole(long size) {
        return new ByteRange(0, size);
    }

    /** The position of the last byte; one less than the first if there is none. */
    public long last() {
        return first + length - 1;
    }
}
