package dev.toolgate.cli.hook;

import dev.toolgate.cli.connect.ClientSettingsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** A change of a file that is shown before it is made; an empty text means that there is no file. */
record SettingsChange(Path file, String before, String after) {
    /** The placeholder for a key that is not created yet. */
    static final String KEY = "[key]";

    private static final String BEARER = "Bearer ";
    private static final Pattern ANY_KEY = Pattern.compile("(?<=" + BEARER + ")(?!\\$)[^\"\\s]+");

    boolean changesAnything() {
        return !before.equals(after);
    }

    /** The removed and added lines, without keys. */
    String shown() {
        List<String> old = before.lines().toList();
        List<String> fresh = after.lines().toList();
        int same = 0;
        while (same < Math.min(old.size(), fresh.size()) && old.get(same).equals(fresh.get(same))) {
            same++;
        }
        int end = 0;
        while (end < Math.min(old.size(), fresh.size()) - same
                && old.get(old.size() - 1 - end).equals(fresh.get(fresh.size() - 1 - end))) {
            end++;
        }
        StringBuilder shown = new StringBuilder(file + "\n");
        old.subList(same, old.size() - end)
                .forEach(line -> shown.append("- ").append(line).append('\n'));
        fresh.subList(same, fresh.size() - end)
                .forEach(line -> shown.append("+ ").append(line).append('\n'));
        return ANY_KEY.matcher(shown).replaceAll(KEY);
    }

    /**
     * Makes it.
     *
     * @param key replaces {@link #KEY} in the text
     * @throws IOException if the file is not as it was shown
     */
    void make(String key) throws IOException {
        if (!changesAnything()) {
            return;
        }
        if (after.isEmpty()) {
            Files.deleteIfExists(file);
            return;
        }
        new ClientSettingsFile(file).change(text -> {
            if (!text.equals(before)) {
                throw new IOException("it was changed by another program in the meantime");
            }
            return after.replace(BEARER + KEY, BEARER + key);
        });
    }
}
