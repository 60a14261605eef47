package dev.toolgate.runtime.sandbox.command;

import dev.toolgate.runtime.platform.NativeFunction;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandle;

/** Sends signals that Java has no API for. */
public final class Signals {
    private static final int HANG_UP = 1;
    private static final int INTERRUPT = 2;
    private static final int CONTINUE = 18;
    private static final int STOP = 19;
    private static final MethodHandle KILL =
            NativeFunction.link("kill", NativeFunction.INT, NativeFunction.INT, NativeFunction.INT);

    private Signals() {}

    /** Stops a child process. */
    public static void stop(Process child) {
        send(child, STOP);
    }

    /** Resumes a stopped child process. */
    public static void resume(Process child) {
        send(child, CONTINUE);
    }

    /** Interrupts a child process, as Ctrl-C does. */
    public static void interrupt(Process child) {
        send(child, INTERRUPT);
    }

    /** Sends SIGHUP to a child process, as when its terminal closes. */
    public static void hangUp(Process child) {
        send(child, HANG_UP);
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
