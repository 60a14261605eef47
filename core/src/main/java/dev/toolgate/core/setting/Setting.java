package dev.toolgate.core.setting;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Declares one setting on a record component. Its key is the component's name in snake case; a {@code @Nullable}
 * component is optional.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {
    /** What it is for, in one sentence. */
    String value();

    /** The default, written as in the environment; empty if there is none. */
    String defaultValue() default "";

    /** The environment variable that sets it; with {@code _FILE} appended, the variable names a file with the value. */
    String env() default "";

    /** The minimum, written like the value. */
    String min() default "";

    /** The maximum, written like the value. */
    String max() default "";

    /** The minimum length of a text or list. */
    int minLength() default 0;

    /** The former key, still accepted with a warning; empty if there is none. */
    String formerly() default "";
}
