package dev.toolgate.cli.client;

import dev.toolgate.cli.local.DataFolder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The key that the command line authenticates with; never printed. */
public record Key(String text) {
    private static final List<String> SETTINGS = List.of("TOOLGATE_KEY", "TOOLGATE_ADMIN_KEY");
    private static final int MAX_BYTES = 64 * 1024;

    /**
     * The key from the given file, or else the environment, or else the data folder.
     *
     * @throws IOException if there is none
     */
    public static Key find(@Nullable Path named) throws IOException {
        if (named != null) {
            return read(named);
        }
        for (String setting : SETTINGS) {
            String value = System.getenv(setting);
            if (value != null && !value.isBlank()) {
                return checked(value, setting);
            }
        }
        Path ofServer = DataFolder.path().resolve("admin.key");
        if (Files.exists(ofServer)) {
            return read(ofServer);
        }
        throw new IOException(
                "there is no key; give a file with --key-file, set TOOLGATE_KEY, or set TOOLGATE_HOME to the"
                        + " server's data folder");
    }

    private static Key read(Path file) throws IOException {
        try {
            String text = Files.size(file) > MAX_BYTES ? "" : Files.readString(file, StandardCharsets.ISO_8859_1);
            return checked(text, file.toString());
        } catch (NoSuchFileException missing) {
            throw new IOException("the key file " + file + " does not exist", missing);
        } catch (IOException unreadable) {
            throw new IOException("the key file " + file + " cannot be read", unreadable);
        }
    }

    private static Key checked(String text, String place) {
        String key = text.strip();
        if (key.isEmpty() || !key.chars().allMatch(c -> c >= ' ' && c <= '~')) {
            throw new IllegalArgumentException(place + " does not contain a key");
        }
        return new Key(key);
    }

    @Override
    public String toString() {
        return "[key]";
    }
}
