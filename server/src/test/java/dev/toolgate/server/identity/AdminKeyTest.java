package dev.toolgate.server.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.identity.Identity;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.identity.Role;
import dev.toolgate.store.identity.AdminKeys;
import dev.toolgate.store.identity.ApiKey;
import dev.toolgate.store.identity.CreatedKey;
import dev.toolgate.store.identity.SecretDigest;
import dev.toolgate.store.instance.GateInstance;
import dev.toolgate.store.instance.RunningInstance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AdminKeyTest {
    private static final String SETTING = "correct horse battery";

    @TempDir
    private Path folder;

    private IdentityFixture instance;

    @BeforeEach
    void open() throws Exception {
        instance = IdentityFixture.open();
    }

    @AfterEach
    void close() throws Exception {
        instance.close();
    }

    @Test
    void the_first_start_creates_an_owner_only_key_that_later_starts_keep() throws Exception {
        Path home = folder.resolve("new");

        AdminKey.Place place = prepare(null, home);

        Path file = home.resolve("admin.key");
        assertThat(place).isEqualTo(new AdminKey.Place.InFile(file));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        assertThat(home).isDirectoryNotContaining(other -> !other.equals(file));
        String key = Files.readString(file).strip();
        assertIsAdmin(key);
        prepare(null, home);
        assertThat(Files.readString(file).strip()).isEqualTo(key);
        assertThat(adminKeys()).singleElement().satisfies(row -> {
            assertThat(row.name()).isEqualTo("admin");
            assertThat(key).startsWith(row.prefix()).isNotEqualTo(row.prefix());
        });
    }

    @Test
    void a_kept_key_works_with_a_new_database_too() throws Exception {
        prepare(null, folder);
        try (IdentityFixture other = IdentityFixture.openAlone()) {
            AdminKey.prepare(null, folder, new AdminKeys(other.database().jdbi()), other.clock());

            assertThat(other.identify("Bearer "
                            + Files.readString(folder.resolve("admin.key")).strip()))
                    .isInstanceOf(Identity.Known.class);
        }
    }

    @Test
    void a_kept_key_that_was_revoked_is_replaced() throws Exception {
        prepare(null, folder);
        String before = Files.readString(folder.resolve("admin.key")).strip();
        instance.keys().revoke(Principal.FIRST_TENANT, adminKeys().getFirst().id(), "somebody");

        prepare(null, folder);

        assertIsAdmin(Files.readString(folder.resolve("admin.key")).strip());
        assertThat(instance.identify("Bearer " + before)).isInstanceOf(Identity.Unknown.class);
    }

    @Test
    void a_file_readable_by_others_is_restricted_to_its_owner() throws Exception {
        prepare(null, folder);
        Path file = folder.resolve("admin.key");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

        prepare(null, folder);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void a_file_without_a_key_is_refused_and_not_changed() throws Exception {
        Path file = folder.resolve("admin.key");
        Files.writeString(file, "password123password123");

        assertThatThrownBy(() -> prepare(null, folder))
                .isInstanceOf(IOException.class)
                .hasMessage(file + " does not contain a key; delete it and restart to get a new admin key.");
        assertThat(file).hasContent("password123password123");
        assertThat(adminKeys()).isEmpty();
    }

    @Test
    void a_link_is_not_followed() throws Exception {
        prepare(null, folder);
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Files.createSymbolicLink(elsewhere.resolve("admin.key"), folder.resolve("admin.key"));

        assertThatThrownBy(() -> prepare(null, elsewhere))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is not a regular file");
    }

    @Test
    void the_key_of_the_setting_works_and_is_not_stored() throws Exception {
        assertThat(prepare(SETTING, folder)).isEqualTo(new AdminKey.Place.InSetting());
        prepare(SETTING, folder);

        assertIsAdmin(SETTING);
        assertThat(folder).isEmptyDirectory();
        assertThat(adminKeys()).singleElement().extracting(ApiKey::prefix).isEqualTo("(setting)");
    }

    @Test
    void the_key_of_the_file_ends_when_another_admin_key_is_set() throws Exception {
        prepare(null, folder);
        Path file = folder.resolve("admin.key");
        String kept = Files.readString(file).strip();
        LoginResult.Done console = (LoginResult.Done)
                instance.sessions().logIn(kept, null, ConsoleCookie.Channel.PLAIN, IdentityFixture.HOME);
        String cookie = console.setCookie().replaceFirst("toolgate_session=([^;]+);.*", "$1");
        assertThat(instance.sessions().current(cookie, IdentityFixture.HOME)).isPresent();

        prepare(SETTING, folder);

        assertThat(file).doesNotExist();
        assertThat(instance.identify("Bearer " + kept))
                .isEqualTo(new Identity.Unknown("This key has been revoked; ask for a new one."));
        assertThat(instance.sessions().current(cookie, IdentityFixture.HOME)).isEmpty();
        assertIsAdmin(SETTING);
        assertThat(adminKeys())
                .filteredOn(key -> key.revokedAt() != null)
                .singleElement()
                .extracting(ApiKey::revokedBy)
                .isEqualTo("TOOLGATE_ADMIN_KEY");
    }

    @Test
    void a_file_without_a_key_is_not_deleted_when_the_setting_is_used() throws Exception {
        Path file = folder.resolve("admin.key");
        Files.writeString(file, "notes of somebody");

        prepare(SETTING, folder);

        assertThat(file).hasContent("notes of somebody");
    }

    @Test
    void a_changed_or_removed_setting_revokes_the_former_key() throws Exception {
        prepare(SETTING, folder);
        assertIsAdmin(SETTING);
        prepare("another horse battery", folder);
        assertIsAdmin("another horse battery");
        assertIsNobody(SETTING);

        prepare(SETTING, folder);
        assertIsAdmin(SETTING);
        prepare(" ", folder);
        assertIsNobody(SETTING);
        assertIsAdmin(Files.readString(folder.resolve("admin.key")).strip());
    }

    @Test
    void the_key_of_another_gates_setting_stays_while_that_gate_runs() throws Exception {
        prepare(SETTING, folder);
        try (RunningInstance _ = anotherGate(SETTING)) {
            prepare(null, folder);
            assertIsAdmin(SETTING);
            prepare("another horse battery", folder);
            assertIsAdmin(SETTING);
            assertIsAdmin("another horse battery");
        }
        prepare("another horse battery", folder);
        assertIsNobody(SETTING);
        assertIsAdmin("another horse battery");
    }

    private RunningInstance anotherGate(String setting) throws Exception {
        RunningInstance.JoinResult attempt = RunningInstance.join(
                instance.database().listener(),
                GateInstance.here("elsewhere", Map.of()),
                SecretDigest.of(setting),
                _ -> {});
        return ((RunningInstance.JoinResult.Joined) attempt).instance();
    }

    @Test
    void a_revoked_key_in_the_setting_is_refused() throws Exception {
        prepare(SETTING, folder);
        instance.keys().revoke(Principal.FIRST_TENANT, adminKeys().getFirst().id(), "somebody");

        assertThatThrownBy(() -> prepare(SETTING, folder))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("was revoked");
        prepare(null, folder);
        assertThatThrownBy(() -> prepare(SETTING, folder)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void an_invalid_key_in_the_setting_is_refused_without_quoting_it() {
        CreatedKey operator = instance.key(Role.OPERATOR, null);
        String genuine = operator.text();
        String mistyped = genuine.substring(0, 51) + (genuine.endsWith("a") ? 'b' : 'a');
        for (String setting : List.of(
                "fifteen letters",
                " sixteen letters or more",
                "sixteen letters\nor more",
                "sechzehn Zeichen ä",
                "eyJhbGciOiJub25lIn0.e30.",
                mistyped,
                genuine)) {
            assertThatThrownBy(() -> prepare(setting, folder))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("TOOLGATE_ADMIN_KEY")
                    .hasMessageNotContaining(setting);
        }
        assertThat(adminKeys()).isEmpty();
    }

    private AdminKey.Place prepare(@Nullable String setting, Path home) throws IOException {
        AdminKey.Place place = AdminKey.prepare(
                setting, home, new AdminKeys(instance.database().jdbi()), instance.clock());
        instance.verified().changed(Principal.FIRST_TENANT);
        return place;
    }

    private List<ApiKey> adminKeys() {
        return instance.keys().list(Principal.FIRST_TENANT, null, 100);
    }

    private void assertIsAdmin(String key) {
        assertThat(instance.identifyWithSetting(key)).isInstanceOfSatisfying(Identity.Known.class, known -> {
            assertThat(known.principal().role()).isEqualTo(Role.ADMIN);
            assertThat(known.principal().tenant()).isEqualTo(Principal.FIRST_TENANT);
        });
    }

    private void assertIsNobody(String key) {
        assertThat(instance.identifyWithSetting(key)).isInstanceOf(Identity.Unknown.class);
    }
}
