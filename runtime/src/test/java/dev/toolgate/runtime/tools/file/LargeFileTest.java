package dev.toolgate.runtime.tools.file;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.runtime.sandbox.files.Folders;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class LargeFileTest {
    private static final int BLOCK = 8 << 20;
    private static final int LINE = 64;
    private static final int BLOCKS = 256;

    @TempDir
    Path temporary;

    @Test
    @Timeout(180)
    void reading_the_end_of_a_2_gib_file_needs_little_memory() throws Exception {
        Folders folders = Folders.in(temporary);
        Path file = folders.file("large.txt", "");
        String end = IntStream.rangeClosed(1, 20)
                .mapToObj(number -> "the last lines, number " + number)
                .collect(Collectors.joining("\n"));
        fill(file, end);
        assertThat(Files.size(file)).isGreaterThan(2L << 30);
        long first = (long) BLOCK / LINE * BLOCKS + 1;
        Path errors = temporary.resolve("errors.txt");
        Path result = temporary.resolve("result.txt");
        Process reader = ChildJvm.start(
                ReadingProgram.class, "128m", errors, folders.inside(), folders.state(), "large.txt", first, result);
        assertThat(reader.waitFor())
                .as("the reader failed: %s", Files.readString(errors))
                .isZero();
        assertThat(Files.readString(result)).isEqualTo(end);
    }

    private static void fill(Path file, String end) throws Exception {
        ByteBuffer block = ByteBuffer.wrap(
                ("x".repeat(LINE - 1) + "\n").repeat(BLOCK / LINE).getBytes(UTF_8));
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            for (int number = 0; number < BLOCKS; number++) {
                channel.write(block.rewind());
            }
            channel.write(ByteBuffer.wrap((end + "\n").getBytes(UTF_8)));
        }
    }
}
