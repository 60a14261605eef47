package dev.toolgate.runtime.platform;

import static dev.toolgate.runtime.platform.NativeFunction.INT;
import static dev.toolgate.runtime.platform.NativeFunction.LONG;
import static java.lang.foreign.ValueLayout.ADDRESS;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/** The accounts of this machine, as the C library knows them. */
final class UserDatabase {
    private static final int TEXT_ROOM = 16_384;
    private static final int RECORD_SIZE = 128;

    private UserDatabase() {}

    /** Whoever runs this process; on systems without user numbers, an account that is never root. */
    static Account current() {
        String name = System.getProperty("user.name", "unknown");
        if (System.getProperty("os.name", "").startsWith("Windows")) {
            return new Account(name, -1, -1);
        }
        return new Account(name, Unix.own(Unix.GETEUID), Unix.own(Unix.GETEGID));
    }

    static Optional<Account> byName(String name) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment entry = arena.allocate(RECORD_SIZE);
            MemorySegment found = arena.allocate(ADDRESS);
            int result = (int) Unix.GETPWNAM.invokeExact(
                    NativeFunction.errnoSegment(arena),
                    arena.allocateFrom(name),
                    entry,
                    arena.allocate(TEXT_ROOM),
                    (long) TEXT_ROOM,
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
                    NativeFunction.errnoSegment(arena), uid, entry, arena.allocate(TEXT_ROOM), (long) TEXT_ROOM, found);
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
        String name = entry.get(ADDRESS, 0).reinterpret(TEXT_ROOM).getString(0);
        return Optional.of(new Account(name, entry.get(INT, 16), entry.get(INT, 20)));
    }

    private static IllegalStateException unexpected(Throwable broken) {
        return new IllegalStateException("The user database cannot be read.", broken);
    }

    /** Linked only where these functions exist. */
    private static final class Unix {
        static final MethodHandle GETEUID = NativeFunction.link("geteuid", INT);
        static final MethodHandle GETEGID = NativeFunction.link("getegid", INT);
        static final MethodHandle GETPWNAM =
                NativeFunction.link("getpwnam_r", INT, ADDRESS, ADDRESS, ADDRESS, LONG, ADDRESS);
        static final MethodHandle GETPWUID =
                NativeFunction.link("getpwuid_r", INT, INT, ADDRESS, ADDRESS, LONG, ADDRESS);

        static int own(MethodHandle function) {
            try (Arena arena = Arena.ofConfined()) {
                return (int) function.invokeExact(NativeFunction.errnoSegment(arena));
            } catch (Throwable broken) {
                throw unexpected(broken);
            }
        }
    }
}
