package dev.toolgate.langchain4j;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.toolgate.client.model.ExternalTool;
import dev.toolgate.client.model.Tool;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** Input schemas between LangChain4j and the gate. */
final class ToolSchemas {
    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final TypeReference<Map<String, Object>> OBJECT = new TypeReference<>() {};
    // The schema keywords that LangChain4j supports; the gate validates with the complete schema in any case.
    private static final List<String> KEYWORDS = List.of("description", "properties", "required", "$defs");

    private ToolSchemas() {}

    static ToolSpecification specification(Tool tool) {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("type", "object");
        KEYWORDS.forEach(keyword -> {
            if (tool.inputSchema().containsKey(keyword)) {
                schema.put(keyword, tool.inputSchema().get(keyword));
            }
        });
        try {
            return ToolSpecification.fromJson(JSON.writeValueAsString(
                    Map.of("name", tool.name(), "description", tool.description(), "parameters", schema)));
        } catch (IllegalArgumentException unsupported) {
            return ToolSpecification.builder()
                    .name(tool.name())
                    .description(tool.description())
                    .parameters(raw(schema))
                    .build();
        }
    }

    /** The properties as they are, for schemas that LangChain4j does not understand. */
    private static JsonObjectSchema raw(Map<String, Object> schema) {
        JsonObjectSchema.Builder object = JsonObjectSchema.builder();
        if (schema.get("properties") instanceof Map<?, ?> properties) {
            properties.forEach((name, property) -> object.addProperty(
                    String.valueOf(name),
                    JsonRawSchema.from(property instanceof Map ? JSON.writeValueAsString(property) : "{}")));
        }
        if (schema.get("required") instanceof List<?> required) {
            object.required(required.stream().map(String::valueOf).toList());
        }
        return object.build();
    }

    static ExternalTool definition(ToolSpecification specification) {
        Map<String, Object> written = JSON.readValue(specification.toJson(), OBJECT);
        Map<String, Object> schema = written.get("parameters") instanceof Map<?, ?> parameters
                ? JSON.convertValue(parameters, OBJECT)
                : Map.of("type", "object");
        String description = specification.description();
        return ExternalTool.of(specification.name(), description == null ? specification.name() : description, schema);
    }
}
