package dev.toolgate.runtime.tools.data;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The Python interpreter.
 *
 * @param folders the folders to search, which must be visible to confined commands
 */
public record Python(List<Path> folders) {
    /** The interpreter of the system. */
    public static final Python SYSTEM = new Python(List.of(Path.of("/usr/local/bin"), Path.of("/usr/bin")));

    public Python {
        folders = List.copyOf(folders);
    }

    Path find() throws ToolFailure {
        return folders.stream()
                .map(folder -> folder.resolve("python3"))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new ToolFailure(
                        ErrorCode.TOOL_EXECUTION_FAILED,
                        "The script was not run because Python is not installed where Toolgate runs; to fix it:"
                                + " apt-get install -y python3 (or the package python3 of your system)"));
    }
}
