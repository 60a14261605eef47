package dev.toolgate.runtime.sandbox.command.nonlinux;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/** Job Objects by calls to kernel32. Not covered by tests, which do not run on Windows. */
final class Kernel32JobObjects implements JobObjects {
    private static final int EXTENDED_LIMITS = 9;
    private static final int EXTENDED_LIMITS_BYTES = 144;
    private static final int LIMIT_FLAGS_OFFSET = 16;
    private static final int KILL_ON_JOB_CLOSE = 0x2000;
    private static final int SET_QUOTA_AND_TERMINATE = 0x0101;
    private static final int EXIT_CODE = 1;

    private final SymbolLookup kernel32 = SymbolLookup.libraryLookup("kernel32", Arena.global());
    private final MethodHandle createJob = link("CreateJobObjectW", ADDRESS, ADDRESS, ADDRESS);
    private final MethodHandle setInformation =
            link("SetInformationJobObject", JAVA_INT, ADDRESS, JAVA_INT, ADDRESS, JAVA_INT);
    private final MethodHandle assignProcess = link("AssignProcessToJobObject", JAVA_INT, ADDRESS, ADDRESS);
    private final MethodHandle terminateJob = link("TerminateJobObject", JAVA_INT, ADDRESS, JAVA_INT);
    private final MethodHandle openProcess = link("OpenProcess", ADDRESS, JAVA_INT, JAVA_INT, JAVA_INT);
    private final MethodHandle closeHandle = link("CloseHandle", JAVA_INT, ADDRESS);

    @Override
    public long createEndingOnClose() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment job = (MemorySegment) createJob.invokeExact(MemorySegment.NULL, MemorySegment.NULL);
            check(job.address() != 0, "CreateJobObject");
            MemorySegment limits = arena.allocate(EXTENDED_LIMITS_BYTES, 8);
            limits.set(JAVA_INT, LIMIT_FLAGS_OFFSET, KILL_ON_JOB_CLOSE);
            int set = (int) setInformation.invokeExact(job, EXTENDED_LIMITS, limits, EXTENDED_LIMITS_BYTES);
            if (set == 0) {
                close(job.address());
            }
            check(set != 0, "SetInformationJobObject");
            return job.address();
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw new LinkageError("kernel32", e);
        }
    }

    @Override
    public void assign(long job, long pid) throws IOException {
        try {
            MemorySegment process = (MemorySegment) openProcess.invokeExact(SET_QUOTA_AND_TERMINATE, 0, (int) pid);
            check(process.address() != 0, "OpenProcess");
            int assigned = (int) assignProcess.invokeExact(MemorySegment.ofAddress(job), process);
            close(process.address());
            check(assigned != 0, "AssignProcessToJobObject");
        } catch (IOException e) {
            throw e;
        } catch (Throwable e) {
            throw new LinkageError("kernel32", e);
        }
    }

    @Override
    public void terminate(long job) {
        try {
            var _ = (int) terminateJob.invokeExact(MemorySegment.ofAddress(job), EXIT_CODE);
        } catch (Throwable e) {
            throw new LinkageError("kernel32", e);
        }
    }

    @Override
    public void close(long handle) {
        try {
            var _ = (int) closeHandle.invokeExact(MemorySegment.ofAddress(handle));
        } catch (Throwable e) {
            throw new LinkageError("kernel32", e);
        }
    }

    private MethodHandle link(String name, MemoryLayout result, MemoryLayout... arguments) {
        return Linker.nativeLinker()
                .downcallHandle(kernel32.findOrThrow(name), FunctionDescriptor.of(result, arguments));
    }

    private static void check(boolean worked, String what) throws IOException {
        if (!worked) {
            throw new IOException(what + " failed");
        }
    }
}
