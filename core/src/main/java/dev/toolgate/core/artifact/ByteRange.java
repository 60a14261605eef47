package dev.toolgate.core.artifact;

/** A range of bytes. */
public record ByteRange(long first, long length) {
    public ByteRange {
        if (first < 0 || length < 0) {
            throw new IllegalArgumentException("A byte range needs a first position and a length of at least 0.");
        }
    }

    /** The whole of something of this size. */
    public static ByteRange whole(long size) {
        return new ByteRange(0, size);
    }

    /** The position of the last byte; {@code first - 1} if the range is empty. */
    public long last() {
        return first + length - 1;
    }
}
