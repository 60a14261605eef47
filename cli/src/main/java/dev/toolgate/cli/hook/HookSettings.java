package dev.toolgate.cli.hook;

import dev.toolgate.cli.connect.ClientSettingsFile;
import dev.toolgate.cli.connect.TomlSettings;
import dev.toolgate.cli.connect.UserFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The files that make the gate the hook of a coding agent: its settings, and the file that the hook command reads. */
final class HookSettings {
    private static final Pattern KEY = Pattern.compile("(?m)^header = \"Authorization: Bearer ([^\"]+)\"$");

    private final HookedProgram client;
    private final Path file;
    private final Path codexSettings;

    /**
     * @param file the client's settings; null for those of the user
     */
    HookSettings(HookedProgram client, @Nullable Path file, UserFolders folders) {
        this.client = client;
        this.file =
                (file == null ? client.file(folders) : file).toAbsolutePath().normalize();
        this.codexSettings = folders.inOrBelowHome("CODEX_HOME", ".codex").resolve("config.toml");
    }

    /** The key that the hook uses now. */
    Optional<String> key() throws IOException {
        JsonNode entry = JsonHooks.entry(read(file), client.events().getFirst(), client::isOurs);
        Optional<Path> keyFile = keyFile(entry);
        if (keyFile.isEmpty()) {
            return client.key(entry);
        }
        Matcher found = KEY.matcher(read(keyFile.get()));
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }

    private static Optional<Path> keyFile(JsonNode entry) {
        String inGroup = entry.at("/hooks/0/command").asString("");
        return HookScript.keyFile(inGroup.isEmpty() ? entry.path("command").asString("") : inGroup);
    }

    /**
     * The changes that install this hook, in the order in which they must be written: dependencies before the hook.
     *
     * @param ca the certificates to trust for the gate, if not the default ones
     */
    List<SettingsChange> install(GateHook hook, @Nullable Path ca) throws IOException {
        List<SettingsChange> changes = new ArrayList<>();
        String before = read(file);
        String after = before;
        Map<String, ObjectNode> entries = client.entries(hook);
        try {
            for (Map.Entry<String, ObjectNode> entry : entries.entrySet()) {
                after = JsonHooks.put(after, entry.getKey(), entry.getValue(), client::isOurs, client.empty());
            }
        } catch (IOException unfit) {
            throw unchanged(file, unfit);
        }
        if (hook.keyFile() != null) {
            changes.add(new SettingsChange(hook.keyFile(), read(hook.keyFile()), keyFileText(hook, ca)));
        }
        if (needsTrust()) {
            changes.add(trust(before, after));
        }
        changes.add(new SettingsChange(file, before, after));
        Optional<Path> former = keyFile(JsonHooks.entry(before, client.events().getFirst(), client::isOurs));
        if (former.isPresent() && !former.get().equals(hook.keyFile())) {
            changes.add(new SettingsChange(former.get(), read(former.get()), ""));
        }
        return changes;
    }

    private String keyFileText(GateHook hook, @Nullable Path ca) {
        return "# How 'toolgate hook' reaches the gate, as options of curl; written by 'toolgate hooks install'.\n"
                + "url = " + TomlSettings.quoted(hook.url() + "/hooks/" + client) + "\n"
                + "header = " + TomlSettings.quoted("Authorization: Bearer " + hook.key()) + "\n"
                + (ca == null
                        ? ""
                        : "cacert = " + TomlSettings.quoted(ca.toAbsolutePath().toString()) + "\n");
    }

    /** The changes that remove the hook; the hook itself comes first. */
    List<SettingsChange> remove() throws IOException {
        String before = read(file);
        String after = before;
        List<SettingsChange> changes = new ArrayList<>();
        try {
            for (String event : client.events()) {
                Optional<Path> keyFile = keyFile(JsonHooks.entry(after, event, client::isOurs));
                if (keyFile.isPresent() && changes.isEmpty()) {
                    changes.add(new SettingsChange(keyFile.get(), read(keyFile.get()), ""));
                }
                after = JsonHooks.remove(after, event, client::isOurs);
            }
        } catch (IOException unfit) {
            throw unchanged(file, unfit);
        }
        if (needsTrust()) {
            changes.addFirst(trust(before, after));
        }
        changes.addFirst(new SettingsChange(
                file, before, JsonHooks.isEmpty(after, client.empty()) && !after.equals(before) ? "" : after));
        return changes;
    }

    // Codex trusts machine-wide hooks without an entry.
    private boolean needsTrust() {
        return client == HookedProgram.CODEX && !file.startsWith("/etc");
    }

    // Codex skips a hook that the user has not trusted, so installing it adds the trust entry, and shows it.
    private SettingsChange trust(String hooksBefore, String hooksAfter) throws IOException {
        String before = read(codexSettings);
        String after = before;
        try {
            for (String event : client.events()) {
                int old = JsonHooks.index(hooksBefore, event, client::isOurs);
                int fresh = JsonHooks.index(hooksAfter, event, client::isOurs);
                if (fresh >= 0) {
                    JsonNode entry = JsonHooks.entry(hooksAfter, event, client::isOurs);
                    String table = CodexTrust.table(file, event, fresh);
                    String line = CodexTrust.line(event, entry);
                    after = after.contains("[" + table + "]\n" + line)
                            ? after
                            : TomlSettings.put(TomlSettings.remove(after, table), table, line);
                } else if (old >= 0) {
                    after = TomlSettings.remove(after, CodexTrust.table(file, event, old));
                }
            }
        } catch (IOException unfit) {
            throw unchanged(codexSettings, unfit);
        }
        return new SettingsChange(codexSettings, before, after);
    }

    private static String read(Path file) throws IOException {
        return new ClientSettingsFile(file).read();
    }

    private static IOException unchanged(Path file, IOException unfit) {
        return new IOException("the file " + file + " was not changed: " + unfit.getMessage(), unfit);
    }
}
