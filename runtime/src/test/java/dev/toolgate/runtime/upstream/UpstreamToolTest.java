package dev.toolgate.runtime.upstream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.Danger;
import dev.toolgate.core.tool.Effect;
import dev.toolgate.core.tool.ToolSpec;
import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** What the gate makes of a server's annotations. */
class UpstreamToolTest {
    @ParameterizedTest(name = "{0} {1} is {2}, {3}")
    @CsvSource(delimiter = '|', textBlock = """
            NONE           | {}                                                                        | CHANGES | DANGEROUS
            NONE           | {"readOnlyHint": true}                                                    | CHANGES | DANGEROUS
            NONE           | {"readOnlyHint": true, "openWorldHint": false}                            | CHANGES | DANGEROUS
            READ_ONLY_HINT | {}                                                                        | CHANGES | DANGEROUS
            READ_ONLY_HINT | {"openWorldHint": false}                                                  | CHANGES | DANGEROUS
            READ_ONLY_HINT | {"readOnlyHint": false, "openWorldHint": false}                           | CHANGES | DANGEROUS
            READ_ONLY_HINT | {"readOnlyHint": true, "destructiveHint": true, "openWorldHint": false}   | CHANGES | DANGEROUS
            READ_ONLY_HINT | {"readOnlyHint": "yes", "openWorldHint": "no"}                            | CHANGES | DANGEROUS
            READ_ONLY_HINT | {"readOnlyHint": "true", "openWorldHint": false}                          | CHANGES | DANGEROUS
            READ_ONLY_HINT | {"readOnlyHint": 1, "openWorldHint": false}                               | CHANGES | DANGEROUS
            READ_ONLY_HINT | {"readOnlyHint": true, "destructiveHint": "true", "openWorldHint": false} | CHANGES | DANGEROUS
            READ_ONLY_HINT | {"readOnlyHint": true, "destructiveHint": 1, "openWorldHint": false}      | CHANGES | DANGEROUS
            READ_ONLY_HINT | {"readOnlyHint": true}                                                    | SENDS   | SAFE
            READ_ONLY_HINT | {"readOnlyHint": true, "openWorldHint": true}                             | SENDS   | SAFE
            READ_ONLY_HINT | {"readOnlyHint": true, "openWorldHint": "no"}                             | SENDS   | SAFE
            READ_ONLY_HINT | {"readOnlyHint": true, "openWorldHint": null}                             | SENDS   | SAFE
            READ_ONLY_HINT | {"readOnlyHint": true, "openWorldHint": "false"}                          | SENDS   | SAFE
            READ_ONLY_HINT | {"readOnlyHint": true, "openWorldHint": 0}                                | SENDS   | SAFE
            READ_ONLY_HINT | {"readOnlyHint": true, "openWorldHint": false}                            | READS   | SAFE
            """)
    void annotations_count_only_as_far_as_they_are_trusted(
            AnnotationTrust trust, String annotations, Effect effect, Danger danger) throws Exception {
        ToolSpec<ObjectNode> spec = spec(trust, annotations);
        assertThat(spec.effect()).isEqualTo(effect);
        assertThat(spec.danger()).isEqualTo(danger);
    }

    private static ToolSpec<ObjectNode> spec(AnnotationTrust trust, String annotations) throws UnusableTool {
        ObjectNode definition = (ObjectNode) Json.MAPPER.readTree("""
                {"name": "look", "inputSchema": {"type": "object"}, "annotations": %s}""".formatted(annotations));
        UpstreamSettings settings = UpstreamSettings.of(
                        "files", UpstreamEndpoint.Remote.of(URI.create("https://example.org/mcp")))
                .trusting(trust);
        UpstreamChoice none = _ -> {
            throw new AssertionError("Nothing is called here.");
        };
        return UpstreamTool.of(settings, none, definition).spec();
    }
}
