package dev.toolgate.runtime.tools.file;

import dev.toolgate.runtime.sandbox.files.Folders;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** What the tests of the file tools share: a workspace with a world outside it, and the tools for it. */
abstract class WithFileTools {
    @TempDir
    Path temporary;

    Folders folders;
    TestTools tools;

    @BeforeEach
    void open() {
        folders = Folders.in(temporary);
        tools = new TestTools(folders);
    }
}
