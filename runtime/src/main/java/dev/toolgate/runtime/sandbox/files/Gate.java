package dev.toolgate.runtime.sandbox.files;

import dev.toolgate.core.tool.ToolFailure;
import java.nio.file.Path;

/**
 * Says no to files that lie beneath the root but must not be touched. It is asked about the path
 * the opened file really has, so a link swapped at the last moment cannot lead around it.
 */
@FunctionalInterface
public interface Gate {
    /** Lets every file beneath the root pass. */
    Gate OPEN = _ -> {};

    /** Returns if the file may be touched. */
    void admit(Path real) throws ToolFailure;
}
