package dev.toolgate.server.condition;

import dev.cel.runtime.CelVariableResolver;
import dev.toolgate.core.call.Call;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The variables of an example. Missing ones are empty, as in a call, except the time, which must be given if used. */
final class ExampleVariables implements CelVariableResolver {
    private static final List<String> TEXTS = List.of("agent", "tool", "operation", "project", "session");

    private final ObjectNode example;

    ExampleVariables(ObjectNode example) {
        this.example = example;
        example.propertyNames().forEach(name -> {
            if (!TEXTS.contains(name) && !name.equals("params") && !name.equals("time")) {
                throw new EvaluationProblem(
                        "it has an unknown field; known are agent, tool, operation, project, session, params and time");
            }
        });
    }

    @Override
    public Optional<Object> find(String name) {
        if (TEXTS.contains(name)) {
            return Optional.of(text(name));
        }
        return switch (name) {
            case "time" -> Optional.of(time());
            case "params" -> Optional.of(JsonValues.map(params()));
            default -> Optional.empty();
        };
    }

    private String text(String name) {
        JsonNode value = example.path(name);
        if (value.isMissingNode()) {
            return name.equals("operation") ? Call.EXECUTE : "";
        }
        if (!value.isString()) {
            throw new EvaluationProblem("'" + name + "' is not a text");
        }
        return value.stringValue();
    }

    private ObjectNode params() {
        JsonNode params = example.path("params");
        if (params.isMissingNode()) {
            return example.objectNode();
        }
        if (params instanceof ObjectNode object) {
            return object;
        }
        throw new EvaluationProblem("'params' is not an object");
    }

    private Object time() {
        try {
            return OffsetDateTime.parse(example.path("time").asString("")).toInstant();
        } catch (DateTimeException unreadable) {
            throw new EvaluationProblem(
                    "the condition uses the time, so the example needs a 'time' such as 2026-03-01T12:00:00Z");
        }
    }
}
