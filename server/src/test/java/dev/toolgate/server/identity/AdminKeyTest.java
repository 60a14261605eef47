package dev.toolgate.server.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.store.identity.AdminKeys;
import dev.toolgate.store.identity.ApiKey;
import dev.toolgate.store.identity.MadeKey;
import dev.toolgate.store.identity.SecretDigest;
import dev.toolgate.store.instance.GateInstance;
import dev.toolgate.store.instance.GateInstances;
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

    private Instance instance;

    @BeforeEach
    void open() throws Exception {
        instance = Instance.open();
    }

    @AfterEach
    void close() throws Exception {
        instance.close();
    }

    @Test
    void the_first_start_makes_a_key_that_only_its_owner_can_read_and_later_ones_keep_it() throws Exception {
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
        try (Instance other = Instance.openAlone()) {
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
    void a_file_that_others_can_read_is_closed() throws Exception {
        prepare(null, folder);
        Path file = folder.resolve("admin.key");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

        prepare(null, folder);

        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void a_file_with_something_else_in_it_is_refused_and_left_alone() throws Exception {
        Path file = folder.resolve("admin.key");
        Files.writeString(file, "password123password123");

        assertThatThrownBy(() -> prepare(null, folder))
                .isInstanceOf(IOException.class)
                .hasMessage(file + " does not hold a key; remove it and start again to get a new admin key.");
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
                .hasMessageContaining("is not a plain file");
    }

    @Test
    void the_setting_is_the_key_and_nothing_of_it_is_kept() throws Exception {
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
        LogIn.Done console =
                (LogIn.Done) instance.sessions().logIn(kept, null, SessionCookie.Channel.PLAIN, Instance.HOME);
        String cookie = console.setCookie().replaceFirst("toolgate_session=([^;]+);.*", "$1");
        assertThat(instance.sessions().current(cookie, Instance.HOME)).isPresent();

        prepare(SETTING, folder);

        assertThat(file).doesNotExist();
        assertThat(instance.identify("Bearer " + kept))
                .isEqualTo(new Identity.Unknown("This key has been revoked; ask for a new one."));
        assertThat(instance.sessions().current(cookie, Instance.HOME)).isEmpty();
        assertIsAdmin(SETTING);
        assertThat(adminKeys())
                .filteredOn(key -> key.revokedAt() != null)
                .singleElement()
                .extracting(ApiKey::revokedBy)
                .isEqualTo("TOOLGATE_ADMIN_KEY");
    }

    @Test
    void a_file_beside_the_setting_that_holds_no_key_is_left_alone() throws Exception {
        Path file = folder.resolve("admin.key");
        Files.writeString(file, "notes of somebody");

        prepare(SETTING, folder);

        assertThat(file).hasContent("notes of somebody");
    }

    @Test
    void another_setting_replaces_the_one_before_and_none_does_too() throws Exception {
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
        GateInstances gates = new GateInstances(instance.database().sessions());
        try (GateInstances.Membership running = joined(gates, SETTING)) {
            assertThat(running.holds()).isTrue();

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

    private static GateInstances.Membership joined(GateInstances gates, String setting) throws Exception {
        GateInstances.Attempt attempt = gates.join(GateInstance.here("elsewhere", Map.of()), SecretDigest.of(setting));
        return ((GateInstances.Attempt.Joined) attempt).membership();
    }

    @Test
    void a_setting_whose_key_was_revoked_does_not_come_back() throws Exception {
        prepare(SETTING, folder);
        instance.keys().revoke(Principal.FIRST_TENANT, adminKeys().getFirst().id(), "somebody");

        assertThatThrownBy(() -> prepare(SETTING, folder))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("was revoked");
        prepare(null, folder);
        assertThatThrownBy(() -> prepare(SETTING, folder)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_setting_that_cannot_be_a_key_is_refused_without_repeating_it() {
        MadeKey operator = instance.key(Role.OPERATOR, null);
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
