package dev.toolgate.runtime.platform;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;

/** Links C library functions, capturing errno with each call. */
public final class NativeFunction {
    private static final Linker LINKER = Linker.nativeLinker();
    private static final StructLayout CAPTURE = Linker.Option.captureStateLayout();
    private static final VarHandle ERRNO =
            CAPTURE.varHandle(MemoryLayout.PathElement.groupElement("errno")).withInvokeExactBehavior();

    private NativeFunction() {}

    /**
     * A handle for a C function. Its first argument is a segment from {@link #errnoSegment}; the
     * others are the function's own.
     */
    public static MethodHandle link(String name, MemoryLayout result, MemoryLayout... arguments) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(result, arguments),
                Linker.Option.captureCallState("errno"));
    }

    /** The same for a function whose arguments after the first few are variadic, such as {@code syscall}. */
    public static MethodHandle linkVariadic(
            String name, int firstVariadic, MemoryLayout result, MemoryLayout... arguments) {
        return LINKER.downcallHandle(
                LINKER.defaultLookup().findOrThrow(name),
                FunctionDescriptor.of(result, arguments),
                Linker.Option.captureCallState("errno"),
                Linker.Option.firstVariadicArg(firstVariadic));
    }

    /** Memory that a call writes errno to. */
    public static MemorySegment errnoSegment(Arena arena) {
        return arena.allocate(CAPTURE);
    }

    /** The errno of the last call made with this segment. */
    public static int errno(MemorySegment segment) {
        return (int) ERRNO.get(segment, 0L);
    }

    public static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT;
    public static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG;
}
