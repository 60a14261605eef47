package dev.toolgate.store.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The contents of {@code postmaster.pid}. */
record PidFile(long pid, String status) {
    private static final int STATUS_LINE = 7;

    static Path in(Path data) {
        return data.resolve("postmaster.pid");
    }

    /** Empty if there is no such file; pid 0 if it cannot be parsed. */
    static Optional<PidFile> read(Path data) throws IOException {
        try {
            List<String> lines = Files.readAllLines(in(data));
            return Optional.of(new PidFile(
                    lines.isEmpty() ? 0 : number(lines.getFirst().strip()),
                    lines.size() > STATUS_LINE ? lines.get(STATUS_LINE).strip() : ""));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    boolean isReady() {
        return status.equals("ready");
    }

    private static long number(String text) {
        return text.matches("[1-9][0-9]{0,9}") ? Long.parseLong(text) : 0;
    }
}
