package dev.toolgate.core.tool;

import dev.toolgate.core.call.ToolPermission;
import dev.toolgate.core.call.ToolScope;
import dev.toolgate.core.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Everything about a tool except its implementation.
 *
 * @param capability the kind of effect it has, as policy bundles name it
 * @param result the type of its structured output, if it has one
 * @param timeLimit the maximum duration of a call
 * @param confidentiality whether its result may be stored and traced
 */
public record ToolSpec<A>(
        String name,
        List<Alias> aliases,
        String description,
        ArgumentType<A> arguments,
        @Nullable ResultType result,
        String capability,
        Category category,
        Danger danger,
        Effect effect,
        Duration timeLimit,
        Confidentiality confidentiality) {

    private static final String EITHER = ", absolute or relative to the project root";
    private static final String ABSOLUTE = "Absolute ";
    private static final Duration DEFAULT_TIME_LIMIT = Duration.ofMinutes(11);

    public ToolSpec {
        aliases = List.copyOf(aliases);
    }

    /** The permission for this tool in a scope. */
    public ToolPermission permissionIn(ToolScope scope) {
        return scope.permissionFor(name, names());
    }

    /** A safe tool that only reads; say otherwise with {@link #dangerous()}, {@link #changing()} or {@link #sending()}. */
    public static <R extends Record> ToolSpec<R> of(
            String name, Class<R> arguments, Category category, String capability, String description) {
        return of(name, ArgumentType.of(arguments), category, capability, description);
    }

    /** A safe tool that only reads, with arguments of any type. */
    public static <A> ToolSpec<A> of(
            String name, ArgumentType<A> arguments, Category category, String capability, String description) {
        return new ToolSpec<>(
                name,
                List.of(),
                description,
                arguments,
                null,
                capability,
                category,
                Danger.SAFE,
                Effect.READS,
                DEFAULT_TIME_LIMIT,
                Confidentiality.NORMAL);
    }

    /** Approval may be wanted first; implies changing. */
    public ToolSpec<A> dangerous() {
        return new ToolSpec<>(
                name,
                aliases,
                description,
                arguments,
                result,
                capability,
                category,
                Danger.DANGEROUS,
                Effect.CHANGES,
                timeLimit,
                confidentiality);
    }

    /** Changes something but is not dangerous. */
    public ToolSpec<A> changing() {
        return new ToolSpec<>(
                name,
                aliases,
                description,
                arguments,
                result,
                capability,
                category,
                danger,
                Effect.CHANGES,
                timeLimit,
                confidentiality);
    }

    /** Changes nothing but sends data out. */
    public ToolSpec<A> sending() {
        return new ToolSpec<>(
                name,
                aliases,
                description,
                arguments,
                result,
                capability,
                category,
                danger,
                Effect.SENDS,
                timeLimit,
                confidentiality);
    }

    /**
     * Its result is returned to the caller and never stored or traced. Implies changing, so that reading a secret is
     * recorded beforehand.
     */
    public ToolSpec<A> confidential() {
        return new ToolSpec<>(
                name,
                aliases,
                description,
                arguments,
                result,
                capability,
                category,
                danger,
                Effect.CHANGES,
                timeLimit,
                Confidentiality.CONFIDENTIAL);
    }

    /** Its structured output is written from a record. */
    public ToolSpec<A> returning(Class<? extends Record> newResult) {
        return returning(new ResultType.OfRecord(newResult));
    }

    /** Its structured output has this type. */
    public ToolSpec<A> returning(ResultType newResult) {
        return new ToolSpec<>(
                name,
                aliases,
                description,
                arguments,
                newResult,
                capability,
                category,
                danger,
                effect,
                timeLimit,
                confidentiality);
    }

    public ToolSpec<A> alsoKnownAs(Alias... newAliases) {
        return new ToolSpec<>(
                name,
                List.of(newAliases),
                description,
                arguments,
                result,
                capability,
                category,
                danger,
                effect,
                timeLimit,
                confidentiality);
    }

    public ToolSpec<A> within(Duration newTimeLimit) {
        return new ToolSpec<>(
                name,
                aliases,
                description,
                arguments,
                result,
                capability,
                category,
                danger,
                effect,
                newTimeLimit,
                confidentiality);
    }

    /** The canonical name and every alias. */
    public Stream<String> names() {
        return Stream.concat(Stream.of(name), aliases.stream().map(Alias::name));
    }

    /** The alias with this name; empty for the canonical name. */
    public Optional<Alias> alias(String calledAs) {
        return aliases.stream().filter(alias -> alias.name().equals(calledAs)).findFirst();
    }

    /**
     * Normalises arguments for a call by this name: drops nulls, which models send for omitted arguments, unless null is
     * a value there; adds the name's defaults, and fixes the case of enum values.
     */
    public ObjectNode complete(String calledAs, ObjectNode given) {
        Map<String, Object> defaults = alias(calledAs).map(Alias::defaults).orElse(Map.of());
        if (defaults.isEmpty() && !needsChange(given)) {
            return given;
        }
        ObjectNode complete = Json.MAPPER.createObjectNode();
        given.forEachEntry((name, value) -> {
            if (!value.isNull() || arguments.acceptsNull(name)) {
                complete.set(
                        name,
                        arguments
                                .matchIgnoringCase(name, value)
                                .<JsonNode>map(Json.MAPPER.getNodeFactory()::stringNode)
                                .orElse(value));
            }
        });
        defaults.forEach((argument, value) -> {
            if (!complete.has(argument)) {
                complete.set(argument, Json.MAPPER.valueToTree(value));
            }
        });
        return complete;
    }

    private boolean needsChange(ObjectNode given) {
        for (Map.Entry<String, JsonNode> field : given.properties()) {
            if ((field.getValue().isNull() && !arguments.acceptsNull(field.getKey()))
                    || arguments
                            .matchIgnoringCase(field.getKey(), field.getValue())
                            .isPresent()) {
                return true;
            }
        }
        return false;
    }

    /** The definition under a name family; canonical if the family has no name for it. */
    public ToolDefinition definition(Alias.Naming naming) {
        return aliases.stream()
                .filter(alias -> alias.naming() == naming)
                .findFirst()
                .map(alias -> new ToolDefinition(alias.name(), description, schemaFor(alias)))
                .orElseGet(this::definition);
    }

    /** The definition under the canonical name. */
    public ToolDefinition definition() {
        return new ToolDefinition(name, description, arguments.schema());
    }

    /** The JSON Schema of the structured output, if any. */
    public Optional<ObjectNode> resultSchema() {
        return Optional.ofNullable(result).map(ResultType::schema);
    }

    private static String lowered(String text) {
        return text.isEmpty() ? "" : text.substring(0, 1).toLowerCase(Locale.ROOT);
    }

    private ObjectNode schemaFor(Alias alias) {
        ObjectNode schema = arguments.schema();
        alias.defaults().forEach((argument, value) -> {
            if (schema.path("properties").path(argument) instanceof ObjectNode property) {
                property.putPOJO("default", value);
            }
        });
        alias.absolutePaths().forEach(argument -> {
            if (schema.path("properties").path(argument) instanceof ObjectNode property) {
                String about = property.path("description").asString("");
                property.put(
                        "description", ABSOLUTE + about.replace(EITHER, "").replaceFirst("^[A-Z]", lowered(about)));
            }
        });
        return schema;
    }
}
