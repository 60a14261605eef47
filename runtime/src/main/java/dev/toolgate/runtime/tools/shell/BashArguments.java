package dev.toolgate.runtime.tools.shell;

import dev.toolgate.core.schema.Param;
import dev.toolgate.core.schema.Touch;
import org.jspecify.annotations.Nullable;

/** The arguments of {@code bash}. */
public record BashArguments(
        @Param(value = "Shell command to execute", minLength = 1, touches = Touch.COMMAND)
        String command,

        @Param(value = "Working directory, inside the workspace; the workspace root if left out", touches = Touch.PATH)
        @Nullable
        String cwd,

        @Param(value = "Time-out in seconds", min = 1, max = 600, defaultValue = "60") @Nullable
        Integer timeout,

        @Param("Text for the command's standard input") @Nullable
        String stdin) {

    private static final int DEFAULT_TIMEOUT_SECONDS = 60;

    int timeoutSeconds() {
        return timeout == null ? DEFAULT_TIMEOUT_SECONDS : timeout;
    }
}
