package dev.toolgate.runtime.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.output.HeadTail;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** What streams through must look exactly as if it had been decoded and cut in one piece. */
class StreamingTruncationTest {
    private static Path folder = Path.of("unset");

    @BeforeContainer
    static void makeFolder() throws IOException {
        folder = Files.createTempDirectory("spool");
    }

    @AfterContainer
    static void removeFolder() throws IOException {
        Files.delete(folder); // fails if any capture left a file behind
    }

    @Property(tries = 5_000)
    void arbitrary_bytes_in_arbitrary_pieces_are_cut_as_in_memory(
            @ForAll("bytes") byte[] bytes,
            @ForAll @IntRange(max = 1_500) int limit,
            @ForAll @IntRange(max = 100) int shareInPercent,
            @ForAll long seed)
            throws IOException {
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

    /** Characters of every length, with stray and missing bytes among them. */
    @Provide
    Arbitrary<byte[]> bytes() {
        Arbitrary<byte[]> characters = Arbitraries.of("a", "\n", "é", "☃", "€", "𝄞", "\uFEFF", "\u0000")
                .map(text -> text.getBytes(StandardCharsets.UTF_8));
        Arbitrary<byte[]> anything =
                Arbitraries.bytes().array(byte[].class).ofMinSize(1).ofMaxSize(4);
        Arbitrary<byte[]> broken = Arbitraries.of(
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
        return Arbitraries.frequencyOf(Tuple.of(6, characters), Tuple.of(1, anything), Tuple.of(1, broken))
                .list()
                .ofMaxSize(1_500)
                .map(StreamingTruncationTest::joined);
    }

    private static byte[] joined(List<byte[]> parts) {
        byte[] all = new byte[parts.stream().mapToInt(part -> part.length).sum()];
        int at = 0;
        for (byte[] part : parts) {
            System.arraycopy(part, 0, all, at, part.length);
            at += part.length;
        }
        return all;
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }
}
