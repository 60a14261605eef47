package dev.toolgate.runtime.tools.file;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.call.Artifact;
import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Output;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FileReadToolTest extends WithFileTools {

    @Test
    void ac12_reads_a_file_by_its_relative_path() throws Exception {
        folders.file("test.txt", "hello");
        Output output = tools.call("file_read", Map.of("path", "test.txt"));
        assertThat(output.text()).isEqualTo("hello");
        assertThat(output.verdict()).isEqualTo(Output.Verdict.OK);
        assertThat(output.structured()).isEqualTo(FileReadTool.Result.whole("hello"));
    }

    @Test
    void ac13_reports_file_not_found() {
        var failure = tools.failure("file_read", Map.of("path", "missing.txt"));
        assertThat(failure.code()).isEqualTo(ErrorCode.FILE_NOT_FOUND);
        assertThat(failure.message()).isEqualTo("file not found: missing.txt");
    }

    @Test
    void reads_by_absolute_path_and_through_a_link_that_stays_inside() throws Exception {
        Path file = folders.file("a.txt", "x");
        Files.createSymbolicLink(folders.inside().resolve("link"), Path.of("a.txt"));
        assertThat(tools.read(file.toString())).isEqualTo("x");
        assertThat(tools.read("link")).isEqualTo("x");
    }

    @ParameterizedTest
    @CsvSource({"1,1,one", "2,2,'two\nthree'", "3,5,'three\n'", "2,,'two\nthree\n'"})
    void returns_the_requested_lines(int offset, Integer limit, String expected) throws Exception {
        folders.file("lines.txt", "one\ntwo\nthree\n");
        Map<String, Object> arguments = limit == null
                ? Map.of("path", "lines.txt", "offset", offset)
                : Map.of("path", "lines.txt", "offset", offset, "limit", limit);
        assertThat(tools.call("file_read", arguments).text()).isEqualTo(expected);
    }

    @Test
    void an_offset_beyond_the_end_is_an_error() throws Exception {
        folders.file("lines.txt", "one\ntwo");
        var failure = tools.failure("file_read", Map.of("path", "lines.txt", "offset", 3));
        assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(failure.message()).contains("'offset'");
        folders.file("empty.txt", "");
        assertThat(tools.read("empty.txt")).isEmpty();
    }

    @Test
    void an_unknown_encoding_is_an_error() throws Exception {
        folders.file("a.txt", "x");
        var failure = tools.failure("file_read", Map.of("path", "a.txt", "encoding", "klingon"));
        assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(failure.message()).contains("'encoding'").contains("klingon");
    }

    @Test
    void reads_requested_and_fallback_encodings() throws Exception {
        Path file = folders.file("a.txt", "");
        Files.write(file, "grün\n".getBytes(ISO_8859_1));
        assertThat(tools.read("a.txt")).isEqualTo("grün\n");
        assertThat(tools.call("file_read", Map.of("path", "a.txt")).metadata()).containsEntry("encoding", "ISO-8859-1");
        Files.write(file, "eins\nzwei ü\ndrei\n".getBytes(UTF_16LE));
        assertThat(tools.call("file_read", Map.of("path", "a.txt", "encoding", "utf-16le", "offset", 2, "limit", 1))
                        .text())
                .isEqualTo("zwei ü");
        Files.write(file, "\ufeffmit Zeichen\n".getBytes(UTF_16LE));
        assertThat(tools.read("a.txt")).isEqualTo("mit Zeichen\n");
    }

    @Test
    void strips_the_byte_order_mark() throws Exception {
        folders.file("a.txt", "\ufeffhello");
        assertThat(tools.read("a.txt")).isEqualTo("hello");
    }

    @Test
    void describes_a_binary_file() throws Exception {
        Path file = folders.file("a.bin", "");
        Files.write(file, new byte[] {1, 2, 0, 3, 4});
        assertThat(tools.read("a.bin")).isEqualTo("Binary file, 5 bytes");
    }

    @Test
    void latin_1_is_an_encoding() throws Exception {
        Files.write(folders.file("a.txt", ""), new byte[] {'h', (byte) 0xE9});
        assertThat(tools.call("file_read", Map.of("path", "a.txt", "encoding", "latin-1"))
                        .text())
                .isEqualTo("hé");
    }

    @ParameterizedTest
    @CsvSource({
        "image/png, 89504e470d0a1a0a00000001",
        "image/jpeg, ffd8ffe000104a46",
        "image/gif, 474946383961000000",
        "image/webp, 5249464624000000574542505650"
    })
    void an_image_is_returned_with_media_type_and_bytes(String mediaType, String hex) throws Exception {
        byte[] bytes = HexFormat.of().parseHex(hex);
        Files.write(folders.file("picture.dat", ""), bytes);
        Output output = tools.call("file_read", Map.of("path", "picture.dat"));
        assertThat(output.text()).contains(mediaType).contains(bytes.length + " bytes");
        Artifact artifact = output.artifacts().getFirst();
        assertThat(artifact.kind()).isEqualTo("image");
        assertThat(artifact.mediaType()).isEqualTo(mediaType);
        assertThat(artifact.content().open().readAllBytes()).isEqualTo(bytes);
    }

    @Test
    void reading_stops_when_the_call_is_cancelled() throws Exception {
        folders.file("a.txt", "x");
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> tools.read("a.txt")).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void a_file_above_the_policy_limit_is_too_large() throws Exception {
        folders.file("a.txt", "123456");
        tools.bounds = Bounds.sizes(5L, null);
        assertThat(tools.failure("file_read", Map.of("path", "a.txt")).code()).isEqualTo(ErrorCode.FILE_TOO_LARGE);
        tools.bounds = Bounds.sizes(6L, null);
        assertThat(tools.read("a.txt")).isEqualTo("123456");
    }

    @Test
    void a_large_file_is_truncated_and_tells_how_to_continue() throws Exception {
        String lines = IntStream.rangeClosed(1, 30_000)
                .mapToObj("line %05d and some more text to fill the file up to size"::formatted)
                .collect(Collectors.joining("\n"));
        folders.file("big.txt", lines);
        Output output = tools.call("file_read", Map.of("path", "big.txt"));
        assertThat(output.text().length()).isBetween(1_000_000, (1 << 20) + 200);
        assertThat(output.metadata()).containsEntry("truncated", true);
        long next = (Long) Objects.requireNonNull(output.metadata().get("nextOffset"));
        assertThat(output.text()).contains("read on with offset " + next);
        assertThat(tools.call("file_read", Map.of("path", "big.txt", "offset", next, "limit", 1))
                        .text())
                .startsWith("line %05d".formatted(next));
        assertThat(output.text()).contains("line %05d".formatted(next - 1)).doesNotContain("line %05d".formatted(next));
    }

    @Test
    void the_content_of_a_truncated_file_has_no_note() throws Exception {
        String lines = IntStream.rangeClosed(1, 30_000)
                .mapToObj("line %05d and some more text to fill the file up to size"::formatted)
                .collect(Collectors.joining("\n"));
        folders.file("big.txt", lines);
        StringBuilder collected = new StringBuilder();
        FileReadTool.Result part = (FileReadTool.Result)
                tools.call("file_read", Map.of("path", "big.txt")).structured();
        while (Boolean.TRUE.equals(Objects.requireNonNull(part).truncated())) {
            collected.append(part.content());
            part = (FileReadTool.Result) tools.call(
                            "file_read", Map.of("path", "big.txt", "offset", Objects.requireNonNull(part.nextOffset())))
                    .structured();
        }
        assertThat(collected.append(part.content()).toString()).isEqualTo(lines);
    }

    @Test
    void a_very_long_line_is_cut_between_characters() throws Exception {
        folders.file("long.txt", "xé".repeat(600_000) + "\nsecond\n");
        Output output = tools.call("file_read", Map.of("path", "long.txt"));
        assertThat(output.text())
                .startsWith("xéxé")
                .contains("read on with offset 2")
                .doesNotContain("\ufffd");
        assertThat(output.metadata()).containsEntry("encoding", "UTF-8");
        assertThat(tools.call("file_read", Map.of("path", "long.txt", "offset", 2, "limit", 1))
                        .text())
                .isEqualTo("second");
    }

    @Test
    void returns_every_byte_up_to_the_limit() throws Exception {
        String text = "a\r\n\tb \u2028 ✓ 😀\n\n\nlast line without end";
        folders.file("a.txt", text);
        assertThat(tools.read("a.txt").getBytes(UTF_8)).isEqualTo(text.getBytes(UTF_8));
    }
}
