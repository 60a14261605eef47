package dev.toolgate.core.schema;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Describes one argument of a tool, on a component of its argument record. A component that is
 * {@code @Nullable} is optional; every other one is required.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD, ElementType.METHOD, ElementType.PARAMETER})
public @interface Param {
    /** What the argument means, for people and for models. */
    String value();

    /** The smallest number accepted. */
    long min() default Long.MIN_VALUE;

    /** The largest number accepted. */
    long max() default Long.MAX_VALUE;

    /** The shortest text accepted. */
    int minLength() default 0;

    /** The only texts accepted; empty means any. */
    String[] oneOf() default {};

    /** The default, as JSON or plain text; shown in the schema. */
    String defaultValue() default "";

    /** What the argument refers to, for limits on paths, domains and commands. */
    Touch touches() default Touch.NOTHING;
}
