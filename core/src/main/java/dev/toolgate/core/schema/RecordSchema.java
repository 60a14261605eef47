package dev.toolgate.core.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.github.victools.jsonschema.generator.FieldScope;
import com.github.victools.jsonschema.generator.Option;
import com.github.victools.jsonschema.generator.OptionPreset;
import com.github.victools.jsonschema.generator.SchemaGenerator;
import com.github.victools.jsonschema.generator.SchemaGeneratorConfigBuilder;
import com.github.victools.jsonschema.generator.SchemaVersion;
import dev.toolgate.core.json.Json;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.node.ObjectNode;

/** Generates JSON Schema from a record, which stays the only description of its shape. */
public final class RecordSchema {
    private static final SchemaGenerator GENERATOR = generator();

    private RecordSchema() {}

    /** The schema of a record: every component that is not {@code @Nullable} is required. */
    public static ObjectNode of(Class<? extends Record> type) {
        ObjectNode schema = GENERATOR.generateSchema(type);
        schema.remove("$schema");
        return schema;
    }

    private static SchemaGenerator generator() {
        SchemaGeneratorConfigBuilder config = new SchemaGeneratorConfigBuilder(
                        SchemaVersion.DRAFT_2020_12, OptionPreset.PLAIN_JSON)
                .with(Option.FORBIDDEN_ADDITIONAL_PROPERTIES_BY_DEFAULT, Option.INLINE_ALL_SCHEMAS)
                .with(Option.MAP_VALUES_AS_ADDITIONAL_PROPERTIES)
                .without(Option.SCHEMA_VERSION_INDICATOR);
        config.forTypesInGeneral().withPropertySorter((_, _) -> 0); // keep the order of the record's components
        config.forFields()
                .withPropertyNameOverrideResolver(RecordSchema::writtenAs)
                .withRequiredCheck(field -> !isNullable(field))
                .withDescriptionResolver(field -> fromParam(field, param -> param.value()))
                .withDefaultResolver(field -> fromParam(field, param -> literal(param.defaultValue())))
                .withNumberInclusiveMinimumResolver(
                        field -> fromParam(field, param -> bound(param.min(), Long.MIN_VALUE)))
                .withNumberInclusiveMaximumResolver(
                        field -> fromParam(field, param -> bound(param.max(), Long.MAX_VALUE)))
                .withStringMinLengthResolver(
                        field -> fromParam(field, param -> param.minLength() == 0 ? null : param.minLength()))
                .withEnumResolver(field -> fromParam(field, param -> options(param.oneOf())));
        return new SchemaGenerator(config.build());
    }

    private static @Nullable String writtenAs(FieldScope field) {
        JsonProperty named = field.getAnnotation(JsonProperty.class);
        return named == null ? null : named.value();
    }

    private static boolean isNullable(FieldScope field) {
        return field.getRawMember().getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    private static <T> @Nullable T fromParam(FieldScope field, Function<Param, @Nullable T> part) {
        Param param = field.getAnnotation(Param.class);
        return param == null ? null : part.apply(param);
    }

    private static @Nullable BigDecimal bound(long value, long unset) {
        return value == unset ? null : BigDecimal.valueOf(value);
    }

    private static @Nullable List<String> options(String[] values) {
        return values.length == 0 ? null : Arrays.asList(values);
    }

    private static @Nullable Object literal(String defaultValue) {
        if (defaultValue.isEmpty()) {
            return null;
        }
        try {
            return Optional.<Object>ofNullable(Json.MAPPER.readValue(defaultValue, Object.class))
                    .orElse(defaultValue);
        } catch (JacksonException plainText) {
            return defaultValue;
        }
    }
}
