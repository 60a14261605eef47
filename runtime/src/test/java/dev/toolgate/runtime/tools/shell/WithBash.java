package dev.toolgate.runtime.tools.shell;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Opens the bash tool before each test and closes it afterwards. */
abstract class WithBash {
    @TempDir
    Path folder;

    BashFixture bash;

    @BeforeEach
    void open() throws IOException {
        bash = new BashFixture(folder);
    }

    @AfterEach
    void close() {
        bash.close();
    }
}
