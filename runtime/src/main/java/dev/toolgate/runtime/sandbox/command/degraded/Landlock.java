package dev.toolgate.runtime.sandbox.command.degraded;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;

/** A Landlock rule set: restricts the file access of a process and its children. */
final class Landlock implements AutoCloseable {
    private static final long CREATE_RULESET = 444;
    private static final long ADD_RULE = 445;
    static final long RESTRICT_SELF = 446;
    private static final int ASK_VERSION = 1;
    private static final int PATH_BENEATH = 1;
    private static final int O_PATH = 0x20_0000;
    private static final int ENOENT = 2;
    private static final int ENOTDIR = 20;
    private static final int EACCES = 13;

    private static final long EXECUTE = 1;
    private static final long WRITE_FILE = 1 << 1;
    private static final long READ_FILE = 1 << 2;
    private static final long READ_FOLDER = 1 << 3;
    private static final long MAKE_CHARACTER_DEVICE = 1 << 6;
    private static final long MAKE_BLOCK_DEVICE = 1 << 11;
    private static final long REFER = 1 << 13;
    private static final long TRUNCATE = 1 << 14;
    private static final long DEVICE_IOCTL = 1 << 15;
    private static final long FIRST_VERSION = (1 << 13) - 1;

    private static final long TCP = 0b11;
    private static final long SIGNALS_AND_ABSTRACT_SOCKETS = 0b11;

    private final int descriptor;
    private final int version;

    /**
     * A rule set that allows nothing yet: no file, no TCP, no signals to others, as far as the kernel version supports
     * it.
     */
    Landlock(int version) throws IOException {
        this.version = version;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(ValueLayout.JAVA_LONG, 3);
            attributes.setAtIndex(ValueLayout.JAVA_LONG, 0, known());
            attributes.setAtIndex(ValueLayout.JAVA_LONG, 1, version >= 4 ? TCP : 0);
            attributes.setAtIndex(ValueLayout.JAVA_LONG, 2, version >= 6 ? SIGNALS_AND_ABSTRACT_SOCKETS : 0);
            this.descriptor = Libc.syscall(CREATE_RULESET, attributes.address(), attributes.byteSize(), 0, 0)
                    .orThrow("landlock_create_ruleset");
        }
    }

    /** The Landlock version of the kernel; 0 if it has none or it is disabled. */
    static int version() {
        return (int)
                Math.max(0, Libc.syscall(CREATE_RULESET, 0, 0, ASK_VERSION, 0).value());
    }

    /** Allows reading and executing everything beneath these paths. Missing paths are skipped. */
    void allowReading(Collection<Path> paths) throws IOException {
        for (Path path : paths) {
            allow(path, EXECUTE | READ_FILE | READ_FOLDER, Missing.IS_FINE);
        }
    }

    /** Allows reading and writing these files, but not replacing them. Missing files are skipped. */
    void allowUsing(Collection<Path> files) throws IOException {
        for (Path file : files) {
            allow(file, READ_FILE | WRITE_FILE | TRUNCATE, Missing.IS_FINE);
        }
    }

    /** Allows creating, changing and removing everything except devices beneath this folder. */
    void allowEverything(Path folder) throws IOException {
        allow(folder, known() & ~(MAKE_CHARACTER_DEVICE | MAKE_BLOCK_DEVICE | DEVICE_IOCTL), Missing.IS_AN_ERROR);
    }

    int descriptor() {
        return descriptor;
    }

    @Override
    public void close() {
        Libc.close(descriptor);
    }

    private enum Missing {
        IS_FINE,
        IS_AN_ERROR
    }

    private void allow(Path path, long rights, Missing missing) throws IOException {
        Libc.Result opened = Libc.open(path.toString(), O_PATH);
        if (opened.failed() && missing == Missing.IS_FINE && isMissing(opened.errno())) {
            return;
        }
        int beneath = opened.orThrow("Opening " + path);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment rule = arena.allocate(16, 8);
            boolean folder = Files.isDirectory(path);
            rule.set(ValueLayout.JAVA_LONG, 0, rights & known() & (folder ? ~0L : ofFiles()));
            rule.set(ValueLayout.JAVA_INT, 8, beneath);
            Libc.syscall(ADD_RULE, descriptor, PATH_BENEATH, rule.address(), 0)
                    .orThrow("landlock_add_rule for " + path);
        } finally {
            Libc.close(beneath);
        }
    }

    private static boolean isMissing(int errno) {
        return errno == ENOENT || errno == ENOTDIR || errno == EACCES;
    }

    private static long ofFiles() {
        return EXECUTE | READ_FILE | WRITE_FILE | TRUNCATE;
    }

    private long known() {
        return FIRST_VERSION
                | (version >= 2 ? REFER : 0)
                | (version >= 3 ? TRUNCATE : 0)
                | (version >= 5 ? DEVICE_IOCTL : 0);
    }
}
