package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.sandbox.command.seccomp.SeccompFilter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/**
 * Small files that every sandbox needs, in a folder only this process can change.
 *
 * @param filter the seccomp filter
 * @param empty an empty file, mounted over secret files
 * @param hosts the hosts file of a sandbox, with only its own name
 * @param aside an empty folder for temporary mounts
 */
record SupportFiles(Path folder, Path filter, Path empty, Path hosts, Path aside) implements AutoCloseable {
    static final String HOSTNAME = "sandbox";

    static SupportFiles create() throws ToolFailure {
        try {
            Path folder = Files.createTempDirectory("toolgate-sandbox-").toRealPath();
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
            return new SupportFiles(
                    folder,
                    write(folder.resolve("seccomp.bpf"), SeccompFilter.forCurrentMachine()),
                    write(folder.resolve("empty"), new byte[0]),
                    write(
                            folder.resolve("hosts"),
                            ("127.0.0.1 localhost " + HOSTNAME + "\n::1 localhost " + HOSTNAME + "\n")
                                    .getBytes(StandardCharsets.US_ASCII)),
                    Files.createDirectory(folder.resolve("aside")));
        } catch (IOException unwritable) {
            throw BindSource.refusal("Commands cannot be confined because the temporary folder "
                    + System.getProperty("java.io.tmpdir") + " cannot be written to (" + unwritable.getMessage()
                    + "); make it writable or set java.io.tmpdir");
        } catch (UnsupportedOperationException unknownMachine) {
            throw BindSource.refusal("Commands cannot be confined because there is no system-call filter for this"
                    + " processor (" + unknownMachine.getMessage() + "); use an x86_64 or aarch64 machine");
        }
    }

    private static Path write(Path file, byte[] content) throws IOException {
        Files.write(file, content);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--r--r--"));
    }

    @Override
    public void close() {
        try {
            Files.deleteIfExists(filter);
            Files.deleteIfExists(empty);
            Files.deleteIfExists(hosts);
            Files.deleteIfExists(aside);
            Files.deleteIfExists(folder);
        } catch (IOException stuck) {
            throw new UncheckedIOException(stuck);
        }
    }
}
