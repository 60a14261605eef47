package dev.toolgate.runtime.sandbox.command;

import dev.toolgate.runtime.platform.NativeFunction;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandle;

/** The two signals Java cannot send by itself. */
public final class Signals {
    private static final int CONTINUE = 18;
    private static final int STOP = 19;
    private static final MethodHandle KILL =
            NativeFunction.link("kill", NativeFunction.INT, NativeFunction.INT, NativeFunction.INT);

    private Signals() {}

    /** Holds a child process of this one where it is. */
    public static void stop(Process child) {
        send(child, STOP);
    }

    /** Lets it go on. */
    public static void resume(Process child) {
        send(child, CONTINUE);
    }

    private static void send(Process child, int signal) {
        if (!child.isAlive()) {
            return;
        }
        try (Arena arena = Arena.ofConfined()) {
            int ignored = (int) KILL.invokeExact(NativeFunction.errnoSegment(arena), (int) child.pid(), signal);
        } catch (Throwable unexpected) {
            throw new IllegalStateException("kill could not be called", unexpected);
        }
    }
}
