package dev.toolgate.runtime.tools.file;

import dev.toolgate.runtime.sandbox.files.Folders;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Sets up a workspace, a folder outside it, and the file tools. */
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
