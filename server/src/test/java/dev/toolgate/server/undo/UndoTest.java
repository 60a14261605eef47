package dev.toolgate.server.undo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.json.Json;
import dev.toolgate.server.Reply;
import dev.toolgate.server.RunningServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Recorded changes are undone: exactly, once, and only if nothing has changed since. */
@Timeout(240)
class UndoTest {
    private static final String[] FILES = {"file_write", "file_delete", "file_read"};
    private static final String[] MEMORY = {"memory_save", "memory_delete", "memory_retrieve"};

    @TempDir
    private static Path home;

    private static RunningServer server;

    @BeforeAll
    static void start() throws Exception {
        server = RunningServer.start(home);
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Test
    void an_overwritten_file_gets_exactly_its_bytes_back() throws Exception {
        UndoTrial trial = new UndoTrial(server, home, FILES);
        byte[] everyByte = new byte[256];
        for (int i = 0; i < everyByte.length; i++) {
            everyByte[i] = (byte) i;
        }
        for (byte[] before : List.of(everyByte, new byte[0], new byte[] {(byte) 0xC3, (byte) 0x28, '\r', '\n'})) {
            Path file = trial.file("bytes-" + before.length);
            UndoTrial.put(file, before);
            Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-x---"));

            long record = trial.write(file, "overwritten");
            assertThat(Files.readString(file)).isEqualTo("overwritten");
            trial.undone(record);

            assertThat(Files.readAllBytes(file)).isEqualTo(before);
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                    .isEqualTo("rwxr-x---");
        }
    }

    @Test
    void a_new_file_is_deleted_and_a_deleted_one_comes_back() throws Exception {
        UndoTrial trial = new UndoTrial(server, home, FILES);
        Path made = trial.file("made");
        trial.undone(trial.write(made, "new"));
        assertThat(made).doesNotExist();

        Path gone = trial.file("gone");
        UndoTrial.put(gone, "precious");
        Files.setPosixFilePermissions(gone, PosixFilePermissions.fromString("rwx------"));
        long deletion = trial.delete(gone);
        assertThat(gone).doesNotExist();
        trial.undone(deletion);
        assertThat(gone).hasContent("precious");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(gone)))
                .isEqualTo("rwx------");
    }

    @Test
    void records_of_the_change_and_of_its_undo_name_each_other() throws Exception {
        UndoTrial trial = new UndoTrial(server, home, FILES);
        Path file = trial.file("linked");
        UndoTrial.put(file, "one");
        long change = trial.write(file, "two");
        assertThat(trial.record(change).at("/undo/undoable").asBoolean()).isTrue();

        long undo = trial.undone(change);

        JsonNode record = trial.record(undo);
        assertThat(record.path("undoes").asString()).isEqualTo(Long.toString(change));
        assertThat(record.path("tool_name").asString()).isEqualTo("file_write");
        assertThat(record.path("operation").asString()).isEqualTo("undo");
        assertThat(record.path("agent_id").asString()).isEqualTo(trial.agent);
        assertThat(record.at("/parameters/reason").asString()).isEqualTo("a mistake");
        assertThat(trial.record(change).at("/undo/undone_by").toString()).isEqualTo("[" + undo + "]");
    }

    @Test
    void an_undo_after_another_change_is_refused_with_all_three_diffs() throws Exception {
        UndoTrial trial = new UndoTrial(server, home, FILES);
        Path file = trial.file("changed");
        UndoTrial.put(file, "first\n");
        long change = trial.write(file, "second\n");
        UndoTrial.put(file, "third\n");

        Reply refused = trial.undo(change);

        assertThat(refused.status()).as(refused.text()).isEqualTo(409);
        assertThat(refused.errorCode()).isEqualTo("CHANGED_SINCE");
        JsonNode differences = refused.json().at("/error/details/differences");
        assertThat(differences.path("change").asString()).contains("-first", "+second");
        assertThat(differences.path("since").asString()).contains("-second", "+third");
        assertThat(differences.path("undo").asString()).contains("-third", "+first");
        assertThat(file).hasContent("third");
        JsonNode record =
                trial.recordOf(refused.json().at("/error/details/request_id").asString());
        assertThat(record.path("status").asString()).isEqualTo("FAILED");
        assertThat(record.toString()).doesNotContain("first").doesNotContain("third");
        assertThat(trial.preview(change).json().path("standing").asString()).isEqualTo("changed");
    }

    @Test
    void an_undo_is_done_once_and_can_be_undone() throws Exception {
        UndoTrial trial = new UndoTrial(server, home, FILES);
        Path file = trial.file("twice");
        UndoTrial.put(file, "one");
        long change = trial.write(file, "two");
        String named = "{\"request_id\": \"" + trial.agent + "-once\"}";
        String target = "/api/v1/audit/logs/" + change + "/undo";
        Reply first = server.admin().post(target, named);
        assertThat(first.status()).isEqualTo(200);
        UndoTrial.put(file, "two"); // a repetition that ran again would undo this, too
        assertThat(server.admin().post(target, named).json()).isEqualTo(first.json());
        assertThat(file).hasContent("two");

        long undo = trial.undone(change);
        assertThat(file).hasContent("one");
        Reply again = trial.undo(change);
        assertThat(again.status()).isEqualTo(409);
        assertThat(again.message()).contains("already as it was before");
        trial.undone(undo);
        assertThat(file).hasContent("two");
    }

    @Test
    void a_record_says_why_its_change_cannot_be_undone() throws Exception {
        UndoTrial trial = new UndoTrial(server, home, FILES);
        Path large = trial.file("large");
        UndoTrial.put(large, new byte[(1 << 20) + 1]);
        long tooLarge = trial.write(large, "small");
        assertThat(trial.record(tooLarge).at("/undo/undoable").asBoolean()).isFalse();
        assertThat(trial.record(tooLarge).at("/undo/reason").asString()).contains("1048577 bytes");
        assertThat(trial.undo(tooLarge).status()).isEqualTo(409);
        assertThat(large).hasContent("small");

        Path same = trial.file("same");
        UndoTrial.put(same, "x");
        assertThat(trial.record(trial.write(same, "x")).at("/undo/reason").asString())
                .isEqualTo("The call changed nothing.");
        long reading =
                trial.call("file_read", Json.MAPPER.createObjectNode().put("path", String.valueOf(same.getFileName())));
        assertThat(trial.preview(reading).json().path("reason").asString()).contains("Only calls of file_write");
    }

    @Test
    void memory_is_restored_unless_it_has_changed() {
        UndoTrial trial = new UndoTrial(server, home, MEMORY);
        long added = trial.save("plan", "one");
        long replaced = trial.save("plan", "two");
        assertThat(trial.undo(added).status()).isEqualTo(409);
        assertThat(trial.remembered("plan")).isEqualTo("two");

        trial.undone(replaced);
        assertThat(trial.remembered("plan")).isEqualTo("one");
        trial.undone(added);
        assertThat(trial.remembered("plan")).isEqualTo("nothing");

        trial.save("plan", "three");
        long deleted =
                trial.call("memory_delete", Json.MAPPER.createObjectNode().put("key", "plan"));
        long undo = trial.undone(deleted);
        assertThat(trial.remembered("plan")).isEqualTo("three");
        trial.save("plan", "four");
        Reply refused = trial.undo(undo);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().at("/error/details/differences/since").asString())
                .contains("-three", "+four");
        assertThat(trial.remembered("plan")).isEqualTo("four");
    }
}
