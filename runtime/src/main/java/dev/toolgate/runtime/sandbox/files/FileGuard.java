package dev.toolgate.runtime.sandbox.files;

import dev.toolgate.core.tool.ToolFailure;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * Refuses files beneath the root that must not be accessed. It checks the real path of the opened file, so a link
 * replaced at the last moment cannot bypass it.
 */
@FunctionalInterface
public interface FileGuard {
    /** Allows every file beneath the root. */
    FileGuard OPEN = _ -> {};

    /** Returns if the file may be accessed; resolves its real path only if necessary. */
    void admit(Supplier<Path> real) throws ToolFailure;
}
