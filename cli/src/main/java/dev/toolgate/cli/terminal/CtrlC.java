package dev.toolgate.cli.terminal;

import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Handles Ctrl-C (SIGINT). */
public final class CtrlC {
    private CtrlC() {}

    /** Runs the action on Ctrl-C. If Java does not support it, Ctrl-C ends the program as usual. */
    public static void handle(Runnable action) {
        try {
            // By reflection, because javac warns about direct use; there is no other API for signals.
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object handling = Proxy.newProxyInstance(
                    handler.getClassLoader(), new Class<?>[] {handler}, (_, _, _) -> run(action));
            Object interrupt = signal.getConstructor(String.class).newInstance("INT");
            signal.getMethod("handle", signal, handler).invoke(null, interrupt, handling);
        } catch (ReflectiveOperationException | IllegalArgumentException unsupported) {
            // Ctrl-C ends the program
        }
    }

    private static @Nullable Object run(Runnable action) {
        action.run();
        return null;
    }
}
