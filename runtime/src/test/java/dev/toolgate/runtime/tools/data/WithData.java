package dev.toolgate.runtime.tools.data;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.policy.CapabilityGrant;
import dev.toolgate.runtime.SessionGate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs scripts through the whole pipeline in the real sandbox. */
@Timeout(120)
abstract class WithData {
    static final String DATA = "city,people\nRome,3\nOslo,1\n";

    @TempDir
    Path folder;

    SessionGate gate;
    Path input;
    Path victim;

    @BeforeEach
    void open() throws IOException {
        gate = new SessionGate(folder).allowing(CapabilityGrant.named("Code.Execute"));
        input = gate.file("data/cities.csv", DATA);
        victim = gate.file("other/victim", "untouched");
    }

    @AfterEach
    void close() throws IOException {
        gate.close();
        assertThat(input).hasContent(DATA);
        assertThat(victim).hasContent("untouched");
    }

    Failure failed(String script) {
        return gate.failed("data_analyze", arguments(script));
    }

    static Map<String, ?> arguments(String script) {
        return Map.of("input_file_path", "data/cities.csv", "analysis_script", script);
    }

    static Map<String, ?> drawing(String script, String path) {
        return Map.of("input_file_path", "data/cities.csv", "visualization_script", script, "output_image_path", path);
    }

    static String json(Output output) {
        return Json.MAPPER.writeValueAsString(output.structured());
    }

    static CapabilityGrant limited(@Nullable List<String> paths, @Nullable List<String> commands) {
        return new CapabilityGrant("Code.Execute", paths, null, commands, null, null, null, null, null, false, null);
    }

    static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().collect(Collectors.toList());
        }
    }
}
