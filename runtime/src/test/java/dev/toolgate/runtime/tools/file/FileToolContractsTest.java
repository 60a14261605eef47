package dev.toolgate.runtime.tools.file;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContract;
import dev.toolgate.runtime.sandbox.files.Folders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

class FileToolContractsTest {
    @TempDir
    private Path temporary;

    private Folders folders;

    @BeforeEach
    void open() throws IOException {
        folders = Folders.in(temporary);
        folders.file("notes.txt", "hello");
    }

    private Tool<?> named(String name) {
        return FileTools.all(folders.workspace(), new WriteTracker()).stream()
                .filter(tool -> tool.spec().name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    abstract class FileContract extends ToolContract {
        private final String name;

        FileContract(String name) {
            this.name = name;
        }

        @Override
        protected Tool<?> tool() {
            return named(name);
        }

        @Override
        protected Optional<Map<String, ?>> endless() {
            return Optional.empty();
        }

        Trouble trouble(String what, Map<String, ?> arguments, ErrorCode code, String... words) {
            return new Trouble(what, tool(), arguments, code, words);
        }
    }

    @Nested
    class FileRead extends FileContract {
        FileRead() {
            super("file_read");
        }

        @Override
        protected Map<String, ?> good() {
            return Map.of("path", "notes.txt");
        }

        @Override
        protected List<Trouble> troubles() {
            return List.of(
                    trouble("no such file", Map.of("path", "absent.txt"), ErrorCode.FILE_NOT_FOUND, "absent.txt"),
                    trouble(
                            "outside the workspace",
                            Map.of("path", "../outside/victim.txt"),
                            ErrorCode.PERMISSION_DENIED),
                    trouble("a file of secrets", Map.of("path", ".env"), ErrorCode.PERMISSION_DENIED),
                    trouble(
                            "an unknown encoding",
                            Map.of("path", "notes.txt", "encoding", "utf-99"),
                            ErrorCode.INVALID_REQUEST,
                            "utf-99"));
        }
    }

    @Nested
    class FileWrite extends FileContract {
        FileWrite() {
            super("file_write");
        }

        @Override
        protected Map<String, ?> good() {
            return Map.of("path", "new.txt", "content", "text");
        }

        @Override
        protected List<Trouble> troubles() {
            return List.of(
                    trouble(
                            "outside the workspace",
                            Map.of("path", "../outside/victim.txt", "content", "x"),
                            ErrorCode.PERMISSION_DENIED),
                    trouble("a file of secrets", Map.of("path", "id_rsa", "content", "x"), ErrorCode.PERMISSION_DENIED),
                    trouble(
                            "an unpaired surrogate",
                            Map.of("path", "new.txt", "content", "\ud800"),
                            ErrorCode.INVALID_REQUEST,
                            "content"));
        }
    }

    @Nested
    class FileDelete extends FileContract {
        FileDelete() {
            super("file_delete");
        }

        @Override
        protected Map<String, ?> good() {
            return Map.of("path", "notes.txt");
        }

        @Override
        protected List<Trouble> troubles() {
            return List.of(
                    trouble("no such file", Map.of("path", "absent.txt"), ErrorCode.FILE_NOT_FOUND, "absent.txt"),
                    trouble(
                            "outside the workspace",
                            Map.of("path", "../outside/victim.txt"),
                            ErrorCode.PERMISSION_DENIED));
        }
    }

    @Nested
    class FileList extends FileContract {
        FileList() {
            super("file_list");
        }

        @Override
        protected Map<String, ?> good() {
            return Map.of("path", ".");
        }

        @Override
        protected List<Trouble> troubles() {
            return List.of(
                    trouble("no such folder", Map.of("path", "absent"), ErrorCode.FILE_NOT_FOUND, "absent"),
                    trouble("outside the workspace", Map.of("path", "../outside"), ErrorCode.PERMISSION_DENIED));
        }
    }
}
