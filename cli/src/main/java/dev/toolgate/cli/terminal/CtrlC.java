package dev.toolgate.cli.terminal;

import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Makes Ctrl-C something that happens instead of the end of the program. */
public final class CtrlC {
    private CtrlC() {}

    /** From now on, Ctrl-C does this. Where Java does not offer it, Ctrl-C ends the program as ever. */
    public static void does(Runnable action) {
        try {
            // By name, because the compiler warns of every other use; there is no other way to hear of a signal.
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object handling = Proxy.newProxyInstance(
                    handler.getClassLoader(), new Class<?>[] {handler}, (_, _, _) -> handled(action));
            Object interrupt = signal.getConstructor(String.class).newInstance("INT");
            signal.getMethod("handle", signal, handler).invoke(null, interrupt, handling);
        } catch (ReflectiveOperationException | IllegalArgumentException unsupported) {
            // as ever
        }
    }

    private static @Nullable Object handled(Runnable action) {
        action.run();
        return null;
    }
}
