package dev.toolgate.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.identity.Right;
import dev.toolgate.core.identity.Role;
import dev.toolgate.core.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

class DocumentTest {
    private final Contract contract = Contract.of(ApiDocument.read("1.2.3"));

    @Test
    void it_has_the_version_of_the_server() {
        assertThat(contract.document().at("/info/version").asString()).isEqualTo("1.2.3");
    }

    @Test
    void it_is_an_openapi_document_whose_schemas_are_json_schema() throws IOException {
        assertThat(structure().validate(contract.document())).isEmpty();
    }

    @Test
    void the_structure_schema_finds_mistakes() throws IOException {
        JsonNode broken = contract.document().deepCopy();
        broken.withObject("/components/schemas/Id").put("type", "text");
        broken.withObject("/paths/~1health/get").put("colour", "green");

        assertThat(structure().validate(broken).toString()).contains("colour", "/components/schemas/Id/type");
    }

    @Test
    void no_sentence_has_become_a_field() {
        // A comma in an unquoted sentence between braces makes a field of the rest of it.
        assertThat(contract.document().toString()).doesNotContainPattern("\"[^\":]* [^\":]*\":null");
    }

    @Test
    void every_reference_resolves_and_every_component_is_used() {
        Set<String> used = new TreeSet<>();
        contract.document().findValuesAsString("$ref").forEach(used::add);
        Set<String> there = new TreeSet<>();
        List.of("parameters", "headers", "responses", "schemas", "examples").forEach(kind -> contract.document()
                .path("components")
                .path(kind)
                .propertyNames()
                .forEach(name -> there.add("#/components/" + kind + "/" + name)));

        assertThat(used).isEqualTo(there);
    }

    @Test
    void operations_have_unique_ids_and_described_tags() {
        List<String> tags = contract.document().path("tags").findValuesAsString("name");

        assertThat(contract.operations())
                .extracting(operation -> operation.node().path("operationId").asString())
                .doesNotHaveDuplicates();
        assertThat(contract.operations()).allSatisfy(operation -> assertThat(tags)
                .contains(operation.node().at("/tags/0").asString()));
    }

    @Test
    void every_example_is_valid_by_its_schema() {
        List<String> wrong = new ArrayList<>();
        List<JsonNode> media = contract.document().findParents("schema");
        media.forEach(
                each -> contract.examples(each).forEach(example -> contract.complaints(each.path("schema"), example)
                        .forEach(complaint -> wrong.add(example + ": " + complaint))));

        assertThat(media).hasSizeGreaterThan(50);
        assertThat(wrong).isEmpty();
    }

    @Test
    void stream_examples_are_valid_by_their_event_schemas() {
        List<JsonNode> streams = contract.document().findParents("x-event-schema");

        assertThat(streams).hasSize(6).allSatisfy(stream -> assertThat(contract.examples(stream))
                .singleElement()
                .satisfies(example -> {
                    assertThat(DocumentedEvents.parsed(example.asString())).isNotEmpty();
                    DocumentedEvents.check(contract, stream.path("x-event-schema"), example.asString());
                }));
    }

    @Test
    void every_success_and_every_request_body_has_an_example() {
        List<String> without = new ArrayList<>();
        contract.operations().forEach(operation -> {
            withoutExample(operation.node().path("requestBody"))
                    .forEach(type -> without.add(operation.name() + " takes " + type));
            operation.node().path("responses").forEachEntry((status, response) -> {
                if (status.startsWith("2")) {
                    withoutExample(contract.resolved(response))
                            .forEach(type -> without.add(operation.name() + " " + status + " " + type));
                }
            });
        });

        assertThat(without)
                .as("all but pictures and fonts")
                .containsExactlyInAnyOrder(
                        "GET /console/assets/{file} 200 image/png", "GET /console/assets/{file} 200 font/woff2");
    }

    private List<String> withoutExample(JsonNode message) {
        return message.path("content")
                .propertyStream()
                .filter(media -> contract.examples(media.getValue()).isEmpty())
                .map(Map.Entry::getKey)
                .toList();
    }

    // Servers that were stored by earlier versions may lack the issuer.
    @Test
    void a_client_id_needs_its_issuer_in_requests_only() {
        String credentials = "{\"credentials\": {\"kind\": \"user\", \"client_id\": \"gate\"}}";

        assertThat(complaints("McpServerPatch", credentials)).isNotEmpty();
        assertThat(complaints(
                        "McpServerPatch", credentials.replace("}}", ", \"issuer\": \"https://login.example.com\"}}")))
                .isEmpty();
        assertThat(complaints(
                        "NewMcpServer",
                        credentials.replaceFirst(
                                "\\{", "{\"name\": \"mail\", \"url\": \"https://mail.example.com/mcp\", ")))
                .isNotEmpty();
        assertThat(complaints("McpServerSettings", credentials))
                .noneMatch(complaint -> complaint.contains("credentials"));
    }

    private List<String> complaints(String schema, String json) {
        return contract.complaints(contract.document().at("/components/schemas/" + schema), Json.MAPPER.readTree(json));
    }

    @Test
    void request_bodies_are_closed_except_in_formats_that_allow_more() {
        List<String> open = contract.operations().stream()
                .filter(Contract.Operation::takesJson)
                .filter(operation -> {
                    JsonNode schema = contract.resolved(contract.bodySchema(operation));
                    return schema.path("additionalProperties").asBoolean(true)
                            && schema.path("unevaluatedProperties").asBoolean(true);
                })
                .map(Contract.Operation::name)
                .toList();

        assertThat(open)
                .containsExactlyInAnyOrder(
                        "POST /execute-tool",
                        "POST /tools/{tool_name}/invoke",
                        "POST /mcp",
                        "POST /hooks/claude-code",
                        "POST /hooks/codex",
                        "POST /hooks/cursor");
    }

    @Test
    void enum_values_are_those_of_the_server() {
        assertThat(words("ErrorCode"))
                .containsExactlyElementsOf(
                        Arrays.stream(ErrorCode.values()).map(Enum::name).toList());
        assertThat(words("Role")).containsExactlyElementsOf(lowerCase(Role.values()));
        assertThat(words("Right")).containsExactlyElementsOf(lowerCase(Right.values()));
        assertThat(lowerCase(ErrorCode.values())).containsAll(words("ViolationType"));
    }

    private List<String> words(String schema) {
        return contract.document()
                .at("/components/schemas/" + schema + "/enum")
                .valueStream()
                .map(JsonNode::asString)
                .toList();
    }

    private static List<String> lowerCase(Enum<?>[] constants) {
        return Arrays.stream(constants)
                .map(constant -> constant.name().toLowerCase(Locale.ROOT))
                .toList();
    }

    private static Schema structure() throws IOException {
        try (InputStream in = DocumentTest.class.getResourceAsStream("/openapi/structure.yaml")) {
            return SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12)
                    .getSchema(new YAMLMapper().readTree(in));
        }
    }
}
