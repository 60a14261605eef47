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

/** The first admin key of an installation: from the setting, or else generated once and stored in the data folder. */
public final class AdminKey {
    public static final String SETTING = "TOOLGATE_ADMIN_KEY";
    private static final Logger LOG = LoggerFactory.getLogger(AdminKey.class);
    private static final String FILE = "admin.key";
    private static final int MIN_LENGTH = 16;

    private AdminKey() {}

    /** Where the admin key is. */
    public sealed interface Place {

        /** In the setting. */
        record InSetting() implements Place {}

        /** In a file. */
        record InFile(Path path) implements Place {}
    }

    /**
     * Ensures that there is a valid admin key.
     *
     * @param setting the setting {@value #SETTING}, or null or blank
     * @param home the data folder
     * @throws IllegalArgumentException if the setting is invalid
     * @throws IOException if the file is invalid
     */
    public static Place prepare(@Nullable String setting, Path home, AdminKeys keys, InstantSource clock)
            throws IOException {
        if (setting != null && !setting.isBlank()) {
            useSetting(setting, keys, clock);
            endFile(new KeyFile(home.resolve(FILE)), keys);
            return new Place.InSetting();
        }
        keys.endSettingKeys();
        KeyFile file = new KeyFile(home.resolve(FILE));
        useFile(file, keys, clock);
        return new Place.InFile(file.path());
    }

    private static void useSetting(String setting, AdminKeys keys, InstantSource clock) {
        if (setting.length() < MIN_LENGTH || !setting.equals(setting.strip()) || !isPrintable(setting)) {
            throw new IllegalArgumentException(SETTING + " must be at least " + MIN_LENGTH
                    + " printable ASCII characters, without a space at either end.");
        }
        if (!(Bearer.of(setting) instanceof Bearer.Key)) {
            throw new IllegalArgumentException(
                    SETTING + " has the form of a mistyped key or a token; choose another value.");
        }
        if (ConfiguredAdminKey.of(setting).strength() == ConfiguredAdminKey.Strength.GUESSABLE) {
            LOG.warn(
                    "The key in {} is easy to guess, so after ten wrong keys from an address it is delayed as well;"
                            + " choose at least 20 random letters and digits",
                    SETTING);
        }
        if (!works(keys.fromSetting(setting), clock)) {
            throw new IllegalArgumentException(
                    "The key in " + SETTING + " was revoked or belongs to another role; choose another value.");
        }
    }

    // Otherwise anyone who has ever read the file would remain an admin unnoticed.
    private static void endFile(KeyFile file, AdminKeys keys) throws IOException {
        int ended = keys.revokeHomeKeys(SETTING);
        if (file.remove() || ended > 0) {
            LOG.warn("{} is set, so the key of the data folder was revoked and {} was deleted", SETTING, file.path());
        }
    }

    private static void useFile(KeyFile file, AdminKeys keys, InstantSource clock) throws IOException {
        Optional<String> kept = file.read();
        if (kept.isPresent() && works(keys.fromHome(kept.get()), clock)) {
            return;
        }
        String made = SecretText.API_KEY.generate();
        file.write(made);
        keys.fromHome(made);
        if (kept.isPresent()) {
            LOG.warn("The key in {} was revoked; it has been replaced with a new one", file.path());
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
