package dev.toolgate.cli.terminal;

import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Handles signals of the operating system. */
public final class SignalHandlers {
    private SignalHandlers() {}

    /**
     * Runs the action on this signal instead of the default action. If Java does not support that, the default action
     * stays.
     *
     * @param name without {@code SIG}
     */
    public static void handle(String name, Runnable action) {
        try {
            // By reflection, because javac warns about direct use; there is no other API for signals.
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object handling = Proxy.newProxyInstance(
                    handler.getClassLoader(), new Class<?>[] {handler}, (_, _, _) -> run(action));
            Object handled = signal.getConstructor(String.class).newInstance(name);
            signal.getMethod("handle", signal, handler).invoke(null, handled, handling);
        } catch (ReflectiveOperationException | IllegalArgumentException unsupported) {
            // the default action stays
        }
    }

    private static @Nullable Object run(Runnable action) {
        action.run();
        return null;
    }
}
