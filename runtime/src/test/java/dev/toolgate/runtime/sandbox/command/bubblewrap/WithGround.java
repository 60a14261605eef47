package dev.toolgate.runtime.sandbox.command.bubblewrap;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the tests of the sandbox share: ground of their own, made before each and cleared after it. */
abstract class WithGround {
    Ground ground;

    @BeforeEach
    void make_ground() throws Exception {
        ground = new Ground();
    }

    @AfterEach
    void clear_ground() throws Exception {
        ground.close();
    }
}
