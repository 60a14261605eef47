package dev.toolgate.http.json;

import dev.toolgate.http.error.BadRequest;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Binds a JSON object to a record: unknown fields are refused unless ignored, nothing is converted ({@code "5"} is not
 * {@code 5}), and components that are not {@code @Nullable} are required. Create one per type and reuse it.
 */
public final class JsonRecord<T extends Record> {
    private final List<Field> fields;
    private final Constructor<T> constructor;
    private final UnknownFields unknownFields;

    /** What to do with unknown fields. */
    public enum UnknownFields {
        REFUSED,
        /** For external formats whose schemas allow extra fields. */
        IGNORED
    }

    private JsonRecord(Class<T> type, FieldNames names, UnknownFields unknownFields) {
        this.unknownFields = unknownFields;
        fields = Arrays.stream(type.getRecordComponents())
                .map(component -> field(component, names))
                .toList();
        Class<?>[] parameters = Arrays.stream(type.getRecordComponents())
                .map(RecordComponent::getType)
                .toArray(Class<?>[]::new);
        try {
            constructor = type.getDeclaredConstructor(parameters);
            constructor.setAccessible(true);
        } catch (NoSuchMethodException impossible) {
            throw new IllegalStateException("Every record has this constructor.", impossible);
        }
    }

    /**
     * A record with fields in snake case.
     *
     * @throws IllegalArgumentException if a component has an unsupported type
     */
    public static <T extends Record> JsonRecord<T> of(Class<T> type) {
        return of(type, FieldNames.SNAKE_CASE);
    }

    /** A record with this field naming. */
    public static <T extends Record> JsonRecord<T> of(Class<T> type, FieldNames names) {
        return new JsonRecord<>(type, names, UnknownFields.REFUSED);
    }

    /** A record with this handling of unknown fields; in nested records they are refused. */
    public static <T extends Record> JsonRecord<T> of(Class<T> type, FieldNames names, UnknownFields unknownFields) {
        return new JsonRecord<>(type, names, unknownFields);
    }

    private static Field field(RecordComponent component, FieldNames names) {
        return new Field(
                names.of(component.getName()),
                JsonType.of(component.getGenericType(), names),
                component.getAnnotatedType().isAnnotationPresent(Nullable.class)
                        ? Presence.OPTIONAL
                        : Presence.REQUIRED);
    }

    /**
     * Reads an object.
     *
     * @throws BadRequest if it is invalid; names the field
     */
    public T read(ObjectNode object) {
        return read(object, "");
    }

    T read(ObjectNode object, String path) {
        @Nullable Object[] values = new Object[fields.size()];
        int known = 0;
        for (int i = 0; i < values.length; i++) {
            Field field = fields.get(i);
            JsonNode value = object.get(field.name);
            known += value == null ? 0 : 1;
            values[i] = field.read(value, path);
        }
        if (known < object.size() && unknownFields == UnknownFields.REFUSED) {
            throw unknown(object, path);
        }
        return construct(values, path);
    }

    /** The type for nested values; a record with a single {@code value}, such as an id, is written as that value. */
    JsonType asType() {
        if (fields.size() == 1 && fields.getFirst().name.equals("value")) {
            JsonType bare = fields.getFirst().type;
            return (value, path) -> construct(new Object[] {bare.read(value, path)}, path);
        }
        return (value, path) -> read(JsonType.object(value, path), path);
    }

    private T construct(@Nullable Object[] values, String path) {
        try {
            return constructor.newInstance(values);
        } catch (InvocationTargetException refused) {
            if (refused.getCause() instanceof IllegalArgumentException complaint) {
                throw new BadRequest((path.isEmpty() ? "" : "Field '" + path + "': ") + complaint.getMessage());
            }
            throw new IllegalStateException(refused.getCause());
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private BadRequest unknown(ObjectNode object, String path) {
        List<String> names = fields.stream().map(Field::name).toList();
        List<String> unknown = new ArrayList<>(object.propertyNames());
        unknown.removeAll(names);
        return new BadRequest(
                "Unknown field '" + JsonType.inside(path, unknown.getFirst()) + "'; known fields are " + names + ".");
    }

    private enum Presence {
        REQUIRED,
        OPTIONAL
    }

    private record Field(String name, JsonType type, Presence presence) {
        @Nullable
        Object read(@Nullable JsonNode value, String path) {
            String place = JsonType.inside(path, name);
            if (value != null && !value.isNull()) {
                return type.read(value, place);
            }
            return switch (presence) {
                case OPTIONAL -> null;
                case REQUIRED -> throw new BadRequest("Missing required field: " + place + ".");
            };
        }
    }
}
