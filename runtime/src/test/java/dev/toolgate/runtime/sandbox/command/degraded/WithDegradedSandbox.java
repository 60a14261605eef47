package dev.toolgate.runtime.sandbox.command.degraded;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Sets up a degraded sandbox with a workspace and a folder outside it. */
abstract class WithDegradedSandbox {
    @TempDir
    Path folder;

    DegradedFixture fixture;

    @BeforeEach
    void open() throws Exception {
        fixture = new DegradedFixture(folder);
    }

    @AfterEach
    void close() {
        fixture.close();
    }
}
