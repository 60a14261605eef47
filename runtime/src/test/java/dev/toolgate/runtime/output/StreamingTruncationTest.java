package dev.toolgate.runtime.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.output.Cases;
import dev.toolgate.core.output.HeadTail;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Streamed output must equal output that was decoded and truncated in one piece. */
class StreamingTruncationTest {
    private static final List<byte[]> CHARACTERS = Stream.of("a", "\n", "é", "☃", "€", "𝄞", "\uFEFF", "\u0000")
            .map(text -> text.getBytes(StandardCharsets.UTF_8))
            .toList();
    private static final List<byte[]> BROKEN = List.of(
            bytes(0xF0, 0x9D),
            bytes(0xE2, 0x98),
            bytes(0xC3),
            bytes(0x80),
            bytes(0xED, 0xA0, 0x80),
            bytes(0xC0, 0x80),
            bytes(0xF0, 0x80, 0x80, 0x80),
            bytes(0xF4, 0x90),
            bytes(0xFF, 0xFE),
            bytes(0xF8, 0x88, 0x80));

    @Test
    void random_bytes_in_random_chunks_are_truncated_as_in_memory(@TempDir Path folder) throws IOException {
        Cases.many(
                5_000,
                random -> check(
                        folder, arbitraryBytes(random), random.nextInt(1_501), random.nextInt(101), random.nextLong()));

        assertThat(folder).isEmptyDirectory(); // no spool file was left behind
    }

    private static void check(Path folder, byte[] bytes, int limit, int shareInPercent, long seed) throws IOException {
        StringBuilder heard = new StringBuilder();
        try (OutputCapture capture = new OutputCapture(limit, SpoolFolder.open(folder), heard::append)) {
            capture.readAll(new DrippingStream(bytes, seed));

            String whole = new String(bytes, StandardCharsets.UTF_8);
            int share = limit * shareInPercent / 100;
            assertThat(capture.text(limit)).isEqualTo(HeadTail.fit(whole, limit));
            assertThat(capture.text(share)).isEqualTo(HeadTail.fit(whole, share));
            assertThat(capture.bytes()).isEqualTo(bytes.length);
            assertThat(capture.textBytes()).isEqualTo(whole.getBytes(StandardCharsets.UTF_8).length);
            assertThat(heard).hasToString(whole);
        }
    }

    /** Characters of every length, with invalid and missing bytes. */
    private static byte[] arbitraryBytes(RandomGenerator random) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (int left = random.nextInt(1_501); left > 0; left--) {
            switch (random.nextInt(8)) {
                case 0 -> bytes.writeBytes(BROKEN.get(random.nextInt(BROKEN.size())));
                case 1 -> {
                    byte[] anything = new byte[random.nextInt(1, 5)];
                    random.nextBytes(anything);
                    bytes.writeBytes(anything);
                }
                default -> bytes.writeBytes(CHARACTERS.get(random.nextInt(CHARACTERS.size())));
            }
        }
        return bytes.toByteArray();
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }
}
