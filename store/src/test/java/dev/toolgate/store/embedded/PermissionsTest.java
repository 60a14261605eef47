package dev.toolgate.store.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PermissionsTest {
    private static final int AT_ONCE = 4;

    @TempDir
    Path parent;

    @Test
    void several_that_create_the_same_folder_all_succeed() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
            for (int round = 0; round < 200; round++) {
                Path folder = parent.resolve("round-" + round).resolve("a/b");
                CyclicBarrier start = new CyclicBarrier(AT_ONCE);
                Callable<Path> creation = () -> {
                    start.await();
                    return Permissions.folder(folder, "rwxr-xr-x");
                };
                List<Future<Path>> created = Stream.generate(() -> threads.submit(creation))
                        .limit(AT_ONCE)
                        .toList();
                for (Future<Path> each : created) {
                    assertThat(each.get()).isDirectory();
                }
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                        .isEqualTo("rwxr-xr-x");
            }
        }
    }

    @Test
    void a_file_in_the_place_of_a_folder_is_an_error() throws Exception {
        Path file = Files.createFile(parent.resolve("file"));

        assertThatThrownBy(() -> Permissions.folder(file, "rwxr-xr-x")).isInstanceOf(FileAlreadyExistsException.class);
    }
}
