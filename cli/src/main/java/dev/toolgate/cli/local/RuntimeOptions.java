package dev.toolgate.cli.local;

import dev.toolgate.runtime.LocalRuntime;
import dev.toolgate.runtime.RuntimeSettings;
import dev.toolgate.runtime.sandbox.command.SandboxMode;
import dev.toolgate.runtime.sandbox.command.SandboxSettings;
import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of every command that uses tools in this very process. */
final class RuntimeOptions {
    @Option(
            names = {"-w", "--workspace"},
            paramLabel = "FOLDER",
            description = "The folder tools may touch; default: this folder.")
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
        // One call and out: a sandbox started ahead would never be used.
        return RuntimeSettings.of(folder.toAbsolutePath().normalize(), DataFolder.path())
                .with(sandbox)
                .with(SandboxSettings.standard().withWarm(0, 0));
    }
}
