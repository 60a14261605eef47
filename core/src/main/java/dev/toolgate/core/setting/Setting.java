package dev.toolgate.core.setting;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * All there is to know about one setting, on the component of the record that holds it; its key is the component's
 * name in snake case. A component that is {@code @Nullable} may be left out and then has no value.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface Setting {
    /** What it is for, in one sentence. */
    String value();

    /** Its value when nobody sets it, written as in the environment; empty if there is none. */
    String initial() default "";

    /** The environment variable that sets it, or with {@code _FILE} after it names a file that holds the value. */
    String env() default "";

    /** The smallest value, written like the value itself. */
    String least() default "";

    /** The largest value, written like the value itself. */
    String most() default "";

    /** The fewest characters of a text, or items of a list. */
    int shortest() default 0;

    /** The key it had before, which is still accepted, with a warning; empty if it always had this one. */
    String formerly() default "";
}
