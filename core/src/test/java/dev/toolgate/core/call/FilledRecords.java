package dev.toolgate.core.call;

import dev.toolgate.core.json.Json;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Creates records with a distinct value in every component, so that a component lost or mixed up in storage is noticed,
 * even one added later.
 */
public final class FilledRecords {
    private static final Instant TIME = Instant.parse("2026-03-01T12:00:00Z");

    private final Map<Type, Supplier<?>> values = new HashMap<>();
    private int number;

    /** Sets how values of a type are made. */
    public <T> FilledRecords with(Class<T> type, Supplier<? extends T> value) {
        values.put(type, value);
        return this;
    }

    /** A record with distinct values in all components, including nested records. */
    public <R extends Record> R fill(Class<R> type) {
        return type.cast(value(type, type.getSimpleName()));
    }

    private Object value(Type type, String name) {
        number++;
        if (values.containsKey(type)) {
            return values.get(type).get();
        }
        if (type instanceof ParameterizedType generic) {
            return collection(generic, name);
        }
        Class<?> plain = (Class<?>) type;
        if (plain.isRecord()) {
            return filled(plain);
        }
        if (plain.isEnum()) {
            return plain.getEnumConstants()[plain.getEnumConstants().length - 1]; // the first is often the default
        }
        return simple(plain, name);
    }

    private Object collection(ParameterizedType generic, String name) {
        Type[] of = generic.getActualTypeArguments();
        Object raw = generic.getRawType();
        if (raw == List.class) {
            return List.of(value(of[0], name), value(of[0], name));
        }
        if (raw == Set.class) {
            return Set.of(value(of[0], name));
        }
        if (raw == Map.class) {
            // Untyped facts are read back as plain values.
            return Map.of(name + number, of[1] == Object.class ? name + "-" + number : value(of[1], name));
        }
        throw new IllegalArgumentException("FilledRecords makes no " + generic + " yet.");
    }

    private Object simple(Class<?> type, String name) {
        if (type == String.class || type == Object.class) {
            return name + "-" + number;
        }
        if (type == boolean.class || type == Boolean.class) {
            return true;
        }
        if (type == int.class || type == Integer.class) {
            return 1000 + number;
        }
        if (type == long.class || type == Long.class) {
            return (1L << 40) + number;
        }
        if (type == Duration.class) {
            return Duration.ofMillis(1000 + number);
        }
        if (type == Instant.class) {
            return TIME.plusSeconds(number);
        }
        if (type == UUID.class) {
            return new UUID(1, number);
        }
        if (type == JsonNode.class || type == ObjectNode.class) {
            return Json.MAPPER.createObjectNode().put(name, number);
        }
        if (type == ArrayNode.class) {
            return Json.MAPPER.createArrayNode().add(number);
        }
        throw new IllegalArgumentException("FilledRecords makes no " + type.getName() + " yet; tell it with().");
    }

    private Object filled(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Object[] arguments = Arrays.stream(components)
                .map(component -> value(component.getGenericType(), component.getName()))
                .toArray();
        try {
            Constructor<?> canonical = type.getDeclaredConstructor(
                    Arrays.stream(components).map(RecordComponent::getType).toArray(Class[]::new));
            canonical.setAccessible(true);
            return canonical.newInstance(arguments);
        } catch (InvocationTargetException refused) {
            throw new IllegalArgumentException(
                    type.getSimpleName() + " does not take made-up values; tell FilledRecords with().",
                    refused.getCause());
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** The components in which two records differ. */
    public static <R extends Record> List<String> differences(R one, R other) {
        List<String> names = new ArrayList<>();
        for (RecordComponent component : one.getClass().getRecordComponents()) {
            if (!get(component, one).equals(get(component, other))) {
                names.add(component.getName());
            }
        }
        return names;
    }

    /**
     * Finds components lost by a record's copy methods: every component of a copy must be unchanged or a given
     * argument.
     *
     * @param combining methods to skip because they compute something else
     */
    public List<String> lossesOfCopies(Record filled, Set<String> combining) {
        List<String> losses = new ArrayList<>();
        for (Method method : filled.getClass().getDeclaredMethods()) {
            if (method.getReturnType() != filled.getClass()
                    || method.getDeclaringClass() == Record.class
                    || Modifier.isStatic(method.getModifiers())
                    || Modifier.isPrivate(method.getModifiers())
                    || combining.contains(method.getName())) {
                continue;
            }
            Object[] given = Arrays.stream(method.getGenericParameterTypes())
                    .map(type -> value(type, method.getName()))
                    .toArray();
            Record copy = (Record) invoke(method, filled, given);
            for (RecordComponent component : filled.getClass().getRecordComponents()) {
                Object now = get(component, copy);
                if (!now.equals(get(component, filled)) && !Arrays.asList(given).contains(now)) {
                    losses.add(method.getName() + ": " + component.getName());
                }
            }
        }
        return losses;
    }

    private static Object get(RecordComponent component, Record of) {
        Object value = invoke(component.getAccessor(), of);
        return value == null ? "null" : value;
    }

    private static Object invoke(Method method, Object of, Object... arguments) {
        try {
            method.setAccessible(true);
            return method.invoke(of, arguments);
        } catch (ReflectiveOperationException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
