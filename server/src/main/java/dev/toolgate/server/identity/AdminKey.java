package dev.toolgate.server.identity;

import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Role;
import dev.toolgate.store.identity.AdminKeys;
import dev.toolgate.store.identity.ApiKey;
import dev.toolgate.store.identity.SecretText;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The key that a new installation begins with: from the setting, else made once and kept in the data folder. */
public final class AdminKey {
    public static final String SETTING = "TOOLGATE_ADMIN_KEY";
    private static final Logger LOG = LoggerFactory.getLogger(AdminKey.class);
    private static final String FILE = "admin.key";
    private static final int SHORTEST = 16;

    private AdminKey() {}

    /** Where an admin finds the key. */
    public sealed interface Place {

        /** They gave it themselves. */
        record InSetting() implements Place {}

        /** It is in a file. */
        record InFile(Path path) implements Place {}
    }

    /**
     * Sees to it that there is an admin key that works.
     *
     * @param setting the setting {@value #SETTING}, or null or blank
     * @param home the data folder
     * @throws IllegalArgumentException with one sentence that says what is wrong with the setting
     * @throws IOException with one sentence that says what is wrong with the file
     */
    public static Place prepare(@Nullable String setting, Path home, AdminKeys keys, InstantSource clock)
            throws IOException {
        if (setting != null && !setting.isBlank()) {
            useSetting(setting, keys, clock);
            endFile(new KeyFile(home.resolve(FILE)), keys);
            return new Place.InSetting();
        }
        keys.noSetting();
        KeyFile file = new KeyFile(home.resolve(FILE));
        useFile(file, keys, clock);
        return new Place.InFile(file.path());
    }

    private static void useSetting(String setting, AdminKeys keys, InstantSource clock) {
        if (setting.length() < SHORTEST || !setting.equals(setting.strip()) || !isPrintable(setting)) {
            throw new IllegalArgumentException(SETTING + " must be at least " + SHORTEST
                    + " printable ASCII characters, without a space at either end.");
        }
        if (!(Bearer.of(setting) instanceof Bearer.Key)) {
            throw new IllegalArgumentException(
                    SETTING + " looks like a mistyped key or like a token; give it another value.");
        }
        if (ChosenKey.of(setting).strength() == ChosenKey.Strength.GUESSABLE) {
            LOG.warn(
                    "The key in {} looks like words that could be guessed, so it has to wait after ten wrong ones from its"
                            + " address; choose at least 20 random letters and digits.",
                    SETTING);
        }
        if (!works(keys.ofSetting(setting), clock)) {
            throw new IllegalArgumentException("The key in " + SETTING
                    + " was revoked or was made for something else; give the setting another value.");
        }
    }

    // Whoever has read the file once would stay an admin for good, unnoticed, beside the key that was chosen.
    private static void endFile(KeyFile file, AdminKeys keys) throws IOException {
        int ended = keys.endOfHome(SETTING);
        if (file.remove() || ended > 0) {
            LOG.warn(
                    "{} is set, so the key that was made for the data folder is revoked and {} is gone.",
                    SETTING,
                    file.path());
        }
    }

    private static void useFile(KeyFile file, AdminKeys keys, InstantSource clock) throws IOException {
        Optional<String> kept = file.read();
        if (kept.isPresent() && works(keys.ofHome(kept.get()), clock)) {
            return;
        }
        String made = SecretText.API_KEY.make();
        file.write(made);
        keys.ofHome(made);
        if (kept.isPresent()) {
            LOG.warn("The key in {} had been revoked; a new one is there now.", file.path());
        }
    }

    private static boolean works(ApiKey key, InstantSource clock) {
        return key.state(clock.instant()) == ApiKey.State.USABLE
                && key.role().equals(Role.ADMIN.wireName())
                && key.tenant().equals(Principal.FIRST_TENANT);
    }

    private static boolean isPrintable(String text) {
        return text.chars().allMatch(c -> c >= ' ' && c <= '~');
    }
}
