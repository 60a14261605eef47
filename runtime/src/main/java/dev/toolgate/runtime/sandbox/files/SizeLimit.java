package dev.toolgate.runtime.sandbox.files;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;

/** The maximum file size that a policy permits. */
public final class SizeLimit {
    private SizeLimit() {}

    public static long of(Bounds bounds) {
        Long limit = bounds.maxFileSizeBytes();
        return limit == null ? Long.MAX_VALUE : limit;
    }

    /** Fails if a file is larger. */
    public static void check(long size, String path, Bounds bounds) throws ToolFailure {
        if (size > of(bounds)) {
            throw exceeded(size, path, bounds);
        }
    }

    public static ToolFailure exceeded(long size, String path, Bounds bounds) {
        return new ToolFailure(
                ErrorCode.FILE_TOO_LARGE,
                "'" + path + "' has " + size + " bytes, more than the " + of(bounds) + " the policy permits");
    }
}
