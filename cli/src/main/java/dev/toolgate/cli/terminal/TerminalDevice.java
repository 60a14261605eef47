package dev.toolgate.cli.terminal;

import static dev.toolgate.runtime.platform.NativeFunction.INT;

import dev.toolgate.runtime.platform.NativeFunction;
import java.io.Console;
import java.lang.foreign.Arena;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/** Terminal functions of the C library. */
public final class TerminalDevice {
    private static final int STANDARD_INPUT = 0;
    private static final int STANDARD_OUTPUT = 1;
    private static final int INPUT_OF_LINUX = 0;
    private static final int INPUT_OF_MAC = 1;

    private TerminalDevice() {}

    /** Drops unread input, including an unfinished line; false if that may have failed. */
    public static boolean dropInput() {
        try (Arena arena = Arena.ofConfined()) {
            return isUnix()
                    && (int) Functions.TCFLUSH.invokeExact(NativeFunction.errnoSegment(arena), STANDARD_INPUT, input())
                            == 0;
        } catch (Throwable impossible) {
            return false;
        }
    }

    /** Whether the standard input is a terminal. */
    public static boolean isInput() {
        return isTerminal(STANDARD_INPUT);
    }

    /** Whether the standard output is a terminal. */
    public static boolean isOutput() {
        return isTerminal(STANDARD_OUTPUT);
    }

    private static boolean isTerminal(int file) {
        try (Arena arena = Arena.ofConfined()) {
            if (isUnix()) {
                return (int) Functions.ISATTY.invokeExact(NativeFunction.errnoSegment(arena), file) == 1;
            }
        } catch (Throwable impossible) {
            // falls back to Java's console
        }
        return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent();
    }

    private static boolean isUnix() {
        return isMac() || System.getProperty("os.name", "").startsWith("Linux");
    }

    private static boolean isMac() {
        return System.getProperty("os.name", "").startsWith("Mac");
    }

    private static int input() {
        return isMac() ? INPUT_OF_MAC : INPUT_OF_LINUX;
    }

    /** A separate class, so that the functions are linked only where they exist. */
    private static final class Functions {
        static final MethodHandle TCFLUSH = NativeFunction.link("tcflush", INT, INT, INT);
        static final MethodHandle ISATTY = NativeFunction.link("isatty", INT, INT);
    }
}
