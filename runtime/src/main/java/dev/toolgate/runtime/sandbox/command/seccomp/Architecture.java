package dev.toolgate.runtime.sandbox.command.seccomp;

import java.util.Locale;
import java.util.Optional;

/** A processor architecture supported by the system call filter. */
public enum Architecture {
    X86_64(0xC000_003E),
    AARCH64(0xC000_00B7);

    private final int auditWord;

    Architecture(int auditWord) {
        this.auditWord = auditWord;
    }

    /** The architecture value that the kernel passes to a filter. */
    public int auditWord() {
        return auditWord;
    }

    /** The architecture with this {@code os.arch} name. */
    public static Optional<Architecture> named(String osArch) {
        return switch (osArch.toLowerCase(Locale.ROOT)) {
            case "amd64", "x86_64" -> Optional.of(X86_64);
            case "aarch64", "arm64" -> Optional.of(AARCH64);
            default -> Optional.empty();
        };
    }

    /**
     * The architecture of this machine.
     *
     * @throws UnsupportedOperationException if no filter can be built for it
     */
    public static Architecture current() {
        String name = System.getProperty("os.arch", "");
        return named(name)
                .orElseThrow(() -> new UnsupportedOperationException(
                        "There is no system call filter for the processor architecture '" + name
                                + "'; use a machine with x86_64 or aarch64"));
    }
}
