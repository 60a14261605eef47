package dev.toolgate.runtime.sandbox.files;

import dev.toolgate.core.tool.ToolFailure;
import java.nio.file.Path;
import java.util.function.Supplier;

/**
 * Says no to files that lie beneath the root but must not be touched. It is asked about the path
 * the opened file really has, so a link swapped at the last moment cannot lead around it.
 */
@FunctionalInterface
public interface FileGuard {
    /** Lets every file beneath the root pass. */
    FileGuard OPEN = _ -> {};

    /** Returns if the file may be touched; asks for its real path only if it needs to know. */
    void admit(Supplier<Path> real) throws ToolFailure;
}
