package dev.toolgate.runtime.sandbox.command.bubblewrap;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Opens a fixture before each test and closes it afterwards. */
abstract class WithSandboxFixture {
    SandboxFixture fixture;

    @BeforeEach
    void open_fixture() throws Exception {
        fixture = new SandboxFixture();
    }

    @AfterEach
    void close_fixture() throws Exception {
        fixture.close();
    }
}
