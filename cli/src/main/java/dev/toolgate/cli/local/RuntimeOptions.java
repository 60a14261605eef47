package dev.toolgate.cli.local;

import dev.toolgate.runtime.LocalRuntime;
import dev.toolgate.runtime.RuntimeSettings;
import dev.toolgate.runtime.sandbox.command.SandboxMode;
import dev.toolgate.runtime.sandbox.command.SandboxSettings;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of commands that run tools in this process. */
final class RuntimeOptions {
    @Option(
            names = {"-w", "--workspace"},
            paramLabel = "FOLDER",
            description = "The workspace of the tools; default: this folder.")
    private @Nullable Path workspace;

    @Option(
            names = "--sandbox",
            paramLabel = "MODE",
            defaultValue = "confined",
            description = "confined (default: commands are confined or refused) or degraded.")
    private SandboxMode sandbox = SandboxMode.CONFINED;

    LocalRuntime open() throws IOException {
        return LocalRuntime.open(settings());
    }

    RuntimeSettings settings() {
        Path folder = workspace == null ? Path.of("") : workspace;
        // Only one call is made, so sandboxes are not started ahead.
        return RuntimeSettings.of(folder.toAbsolutePath().normalize(), DataFolder.path())
                .with(sandbox)
                .with(SandboxSettings.standard().withWarm(0, 0));
    }
}
