package dev.toolgate.runtime.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.toolgate.runtime.output.OutputCapture;
import dev.toolgate.runtime.output.SpoolFolder;
import dev.toolgate.runtime.sandbox.command.RunningCommand;
import dev.toolgate.runtime.tools.shell.BashFixture;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CommandRunTest {
    // More readers than the JVM can have carriers for virtual threads.
    private static final int COMMANDS = 150;

    @TempDir
    Path folder;

    @Test
    void silent_commands_do_not_block_virtual_threads() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        SpoolFolder spool = SpoolFolder.open(folder.resolve("spool"));
        CountDownLatch reading = new CountDownLatch(2 * COMMANDS);
        CountDownLatch ran = new CountDownLatch(1);
        try (RandomAccessFile writer = new RandomAccessFile(pipe.toFile(), "rw")) {
            assertThat(writer.getFD().valid()).isTrue();
            for (int i = 0; i < COMMANDS; i++) {
                CommandRun.serve(new Silent(pipe, reading), null, capture(spool), capture(spool));
            }
            assertThat(reading.await(10, TimeUnit.SECONDS)).isTrue();

            Thread.ofVirtual().start(ran::countDown);

            assertThat(ran.await(10, TimeUnit.SECONDS)).isTrue();
        }
        await().until(() -> readers() == 0);
    }

    @Test
    void two_hundred_commands_leave_no_thread_and_no_descriptor_behind() throws Exception {
        try (BashFixture bash = new BashFixture(folder)) {
            bash.run("true");
            long before = descriptors();
            for (int i = 0; i < 200; i++) {
                bash.run("echo out; echo err >&2");
            }
            await().until(() -> readers() == 0);
            await().until(() -> descriptors() < before + 20);
        }
    }

    private static OutputCapture capture(SpoolFolder spool) {
        return new OutputCapture(1_000, spool, chunk -> {});
    }

    private static long readers() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("command-std"))
                .count();
    }

    private static long descriptors() throws Exception {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            return open.count();
        }
    }

    /** A command without output until its pipe is closed. */
    private record Silent(Path pipe, CountDownLatch reading) implements RunningCommand {
        @Override
        public OutputStream stdin() {
            return OutputStream.nullOutputStream();
        }

        @Override
        public InputStream stdout() {
            return reader();
        }

        @Override
        public InputStream stderr() {
            return reader();
        }

        private InputStream reader() {
            try {
                InputStream stream = new FileInputStream(pipe.toFile());
                reading.countDown();
                return stream;
            } catch (FileNotFoundException impossible) {
                throw new UncheckedIOException(impossible);
            }
        }

        @Override
        public OptionalInt waitFor(Duration timeout) {
            return OptionalInt.empty();
        }

        @Override
        public void terminate(Duration grace) {}

        @Override
        public void close() {}
    }
}
