package dev.toolgate.runtime.platform;

import static dev.toolgate.runtime.platform.NativeFunction.INT;
import static dev.toolgate.runtime.platform.NativeFunction.LONG;
import static java.lang.foreign.ValueLayout.ADDRESS;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;

/** Looks up accounts with the C library. */
final class UserDatabase {
    private static final int TEXT_BUFFER_BYTES = 16_384;
    private static final int RECORD_SIZE = 128;

    private UserDatabase() {}

    /** The account of this process; on Windows, which has no uids, an account that is never root. */
    static Account current() {
        String name = System.getProperty("user.name", "unknown");
        String system = System.getProperty("os.name", "");
        if (system.startsWith("Windows")) {
            return new Account(name, -1, -1);
        }
        return (system.equals("Linux") ? fromStatus(name) : Optional.<Account>empty())
                .orElseGet(() -> new Account(name, Own.id(Own.GETEUID), Own.id(Own.GETEGID)));
    }

    // Linking C library functions slows down start-up, and a process that is not root needs none of them.
    private static Optional<Account> fromStatus(String name) {
        try {
            List<String> status = Files.readAllLines(Path.of("/proc/self/status"), StandardCharsets.ISO_8859_1);
            return Optional.of(new Account(name, effective(status, "Uid:"), effective(status, "Gid:")));
        } catch (IOException | NoSuchElementException | NumberFormatException | ArrayIndexOutOfBoundsException other) {
            return Optional.empty();
        }
    }

    // Real, effective, saved and file system id.
    private static int effective(List<String> status, String field) {
        String line = status.stream()
                .filter(each -> each.startsWith(field))
                .findFirst()
                .orElseThrow();
        return Integer.parseUnsignedInt(line.split("\\s+")[2]);
    }

    static Optional<Account> byName(String name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment entry = arena.allocate(RECORD_SIZE);
            MemorySegment found = arena.allocate(ADDRESS);
            int result = (int) Unix.GETPWNAM.invokeExact(
                    NativeFunction.errnoSegment(arena),
                    arena.allocateFrom(name),
                    entry,
                    arena.allocate(TEXT_BUFFER_BYTES),
                    (long) TEXT_BUFFER_BYTES,
                    found);
            return account(result, entry, found);
        } catch (Throwable broken) {
            throw unexpected(broken);
        }
    }

    static Optional<Account> byUid(int uid) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment entry = arena.allocate(RECORD_SIZE);
            MemorySegment found = arena.allocate(ADDRESS);
            int result = (int) Unix.GETPWUID.invokeExact(
                    NativeFunction.errnoSegment(arena),
                    uid,
                    entry,
                    arena.allocate(TEXT_BUFFER_BYTES),
                    (long) TEXT_BUFFER_BYTES,
                    found);
            return account(result, entry, found);
        } catch (Throwable broken) {
            throw unexpected(broken);
        }
    }

    // struct passwd begins with name, password, uid and gid on Linux and macOS alike.
    private static Optional<Account> account(int result, MemorySegment entry, MemorySegment found) {
        if (result != 0 || found.get(ADDRESS, 0).address() == 0) {
            return Optional.empty();
        }
        String name = entry.get(ADDRESS, 0).reinterpret(TEXT_BUFFER_BYTES).getString(0);
        return Optional.of(new Account(name, entry.get(INT, 16), entry.get(INT, 20)));
    }

    private static IllegalStateException unexpected(Throwable broken) {
        return new IllegalStateException("The user database cannot be read.", broken);
    }

    /** Linked only where these functions exist and are needed. */
    private static final class Unix {
        static final MethodHandle GETPWNAM =
                NativeFunction.link("getpwnam_r", INT, ADDRESS, ADDRESS, ADDRESS, LONG, ADDRESS);
        static final MethodHandle GETPWUID =
                NativeFunction.link("getpwuid_r", INT, INT, ADDRESS, ADDRESS, LONG, ADDRESS);
    }

    /** The same, for the ids of this process. */
    private static final class Own {
        static final MethodHandle GETEUID = NativeFunction.link("geteuid", INT);
        static final MethodHandle GETEGID = NativeFunction.link("getegid", INT);

        static int id(MethodHandle function) {
            try (Arena arena = Arena.ofConfined()) {
                return (int) function.invokeExact(NativeFunction.errnoSegment(arena));
            } catch (Throwable broken) {
                throw unexpected(broken);
            }
        }
    }
}
