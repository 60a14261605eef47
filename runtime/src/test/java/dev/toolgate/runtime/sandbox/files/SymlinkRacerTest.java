package dev.toolgate.runtime.sandbox.files;

import static dev.toolgate.runtime.platform.NativeFunction.INT;
import static java.lang.foreign.ValueLayout.ADDRESS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.Tool;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.NativeFunction;
import dev.toolgate.runtime.platform.Platform;
import dev.toolgate.runtime.tools.file.FileTools;
import dev.toolgate.runtime.tools.file.WriteTracker;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/**
 * Replaces a folder and a file by links to the outside in a fast loop while all four tools access them. A control that
 * checks first and opens afterwards races along: it must be fooled, or the race proves nothing.
 */
@EnabledOnOs(OS.LINUX)
class SymlinkRacerTest {
    private static final MethodHandle RENAMEAT2 =
            NativeFunction.link("renameat2", INT, INT, ADDRESS, INT, ADDRESS, INT);
    private static final int AT_FDCWD = -100;
    private static final int RENAME_EXCHANGE = 2;

    @TempDir
    Path temporary;

    Folders folders;
    final AtomicInteger swaps = new AtomicInteger();
    final AtomicInteger escapes = new AtomicInteger();
    final AtomicInteger fooled = new AtomicInteger();
    final Map<String, AtomicInteger> succeeded = counters();
    final Map<String, AtomicInteger> refused = counters();

    @BeforeEach
    void prepare() throws IOException {
        folders = Folders.in(temporary);
        folders.file("swap/file.txt", "inside");
        folders.file("file.txt", "inside");
        Files.writeString(folders.outside().resolve("file.txt"), Folders.SECRET);
        Files.writeString(folders.outside().resolve("only-outside.txt"), Folders.SECRET);
        Files.createSymbolicLink(folders.inside().resolve("other-folder"), folders.outside());
        Files.createSymbolicLink(folders.inside().resolve("other-file"), folders.victim());
    }

    @Test
    void nothing_outside_is_read_written_deleted_or_listed() throws Exception {
        race(Duration.ofSeconds(10), (root, pending) -> new LinuxRootedFiles(root, folders.account(), pending));
    }

    @Test
    @Tag("soak")
    void nothing_outside_is_accessed_in_five_minutes_of_racing() throws Exception {
        race(Duration.ofMinutes(5), (root, pending) -> new LinuxRootedFiles(root, folders.account(), pending));
    }

    @Test
    void nothing_outside_is_accessed_without_openat2() throws Exception {
        race(Duration.ofSeconds(4), (root, pending) -> new DirectoryStreamFiles(root, folders.account(), pending));
    }

    @FunctionalInterface
    private interface Way {
        RootedFiles at(Path root, PendingWrites pending);
    }

    private void race(Duration time, Way way) throws Exception {
        PendingWrites pending = folders.pending();
        Workspace workspace = new Workspace(
                folders.inside(), null, Platform.current(), DangerousPaths.standard(), root -> way.at(root, pending));
        List<Tool<?>> tools = FileTools.all(workspace, new WriteTracker());
        long end = System.nanoTime() + time.toNanos();
        List<Callable<Boolean>> tasks = List.of(
                () -> until(end, () -> swap("swap", "other-folder")),
                () -> until(end, () -> {
                    swap("file.txt", "other-file");
                    mendLink();
                }),
                () -> until(end, () -> {
                    checkThenOpen("file.txt");
                    checkThenOpen("swap/file.txt");
                }),
                () -> until(end, () -> {
                    read(tools, "swap/file.txt");
                    read(tools, "file.txt");
                }),
                () -> until(end, () -> {
                    call(tools, "file_write", Map.of("path", "swap/file.txt", "content", "inside"));
                    call(tools, "file_write", Map.of("path", "swap/new/file.txt", "content", "inside"));
                    call(tools, "file_write", Map.of("path", "file.txt", "content", "inside"));
                }),
                () -> until(end, () -> {
                    call(tools, "file_delete", Map.of("path", "swap/file.txt"));
                    call(tools, "file_delete", Map.of("path", "swap/only-outside.txt"));
                }),
                () -> until(end, () -> list(tools)));
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(Thread::new)) {
            List<Future<Boolean>> running = new ArrayList<>(threads.invokeAll(tasks));
            for (Future<Boolean> one : running) {
                one.get();
            }
        }
        assertThat(escapes).hasValue(0);
        assertThat(fooled).as("the control must be fooled").hasPositiveValue();
        assertThat(succeeded.values()).allSatisfy(count -> assertThat(count).hasPositiveValue());
        assertThat(refused.values()).allSatisfy(count -> assertThat(count).hasPositiveValue());
        try (Stream<Path> outside = Files.list(folders.outside())) {
            assertThat(outside.map(path -> path.getFileName().toString()))
                    .containsExactlyInAnyOrder("victim.txt", "file.txt", "only-outside.txt");
        }
        for (String victim : List.of("victim.txt", "file.txt", "only-outside.txt")) {
            assertThat(folders.outside().resolve(victim)).hasContent(Folders.SECRET);
        }
        assertThat(folders.state().resolve("pending-writes")).isEmptyDirectory();
    }

    @FunctionalInterface
    private interface Step {
        void run() throws Exception;
    }

    private static boolean until(long end, Step step) throws Exception {
        while (System.nanoTime() < end) {
            step.run();
        }
        return true;
    }

    private void swap(String one, String other) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            int result = (int) RENAMEAT2.invokeExact(
                    NativeFunction.errnoSegment(arena),
                    AT_FDCWD,
                    arena.allocateFrom(folders.inside().resolve(one).toString()),
                    AT_FDCWD,
                    arena.allocateFrom(folders.inside().resolve(other).toString()),
                    RENAME_EXCHANGE);
            swaps.addAndGet(result == 0 ? 1 : 0);
        } catch (Throwable broken) {
            throw new IOException(broken);
        }
    }

    // A write may happen while the link has the file's name, and correctly replaces the link.
    private void mendLink() throws IOException {
        Path link = folders.inside().resolve("other-file");
        if (swaps.get() % 64 == 0
                && !Files.isSymbolicLink(link)
                && !Files.isSymbolicLink(folders.inside().resolve("file.txt"))) {
            Files.delete(link);
            Files.createSymbolicLink(link, folders.victim());
        }
    }

    private void checkThenOpen(String path) {
        try {
            Path file = folders.inside().resolve(path);
            if (file.toRealPath().startsWith(folders.inside().toRealPath())
                    && Files.readString(file).equals(Folders.SECRET)) {
                fooled.incrementAndGet();
            }
        } catch (IOException gone) {
            // the file is deleted and written all the time
        }
    }

    private void read(List<Tool<?>> tools, String path) throws InterruptedException {
        if (call(tools, "file_read", Map.of("path", path)).contains(Folders.SECRET)) {
            escapes.incrementAndGet();
        }
    }

    private void list(List<Tool<?>> tools) throws InterruptedException {
        if (call(tools, "file_list", Map.of("path", "swap")).contains("outside")) {
            escapes.incrementAndGet();
        }
    }

    private String call(List<Tool<?>> tools, String name, Map<String, Object> arguments) throws InterruptedException {
        Tool<?> tool = tools.stream()
                .filter(known -> known.spec().name().equals(name))
                .findFirst()
                .orElseThrow();
        try {
            String text = call(tool, name, Json.MAPPER.valueToTree(arguments));
            counter(succeeded, name).incrementAndGet();
            return text;
        } catch (ToolFailure failure) {
            counter(refused, name).incrementAndGet();
            return "";
        }
    }

    private static <A> String call(Tool<A> tool, String name, ObjectNode arguments)
            throws ToolFailure, InterruptedException {
        ToolContext context = new ToolContext(Call.of(Caller.local(), name, arguments), Bounds.none());
        return tool.call(tool.spec().arguments().decode(arguments), context).text();
    }

    private static AtomicInteger counter(Map<String, AtomicInteger> counters, String name) {
        return Objects.requireNonNull(counters.get(name));
    }

    private static Map<String, AtomicInteger> counters() {
        return Map.of(
                "file_read", new AtomicInteger(),
                "file_write", new AtomicInteger(),
                "file_delete", new AtomicInteger(),
                "file_list", new AtomicInteger());
    }
}
