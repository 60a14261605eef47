package dev.toolgate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.json.Json;
import dev.toolgate.runtime.platform.WorkspaceAccount;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

class CommandLineTest {
    @TempDir
    private Path workspace;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @BeforeEach
    void openWorkspace() throws IOException {
        Files.setPosixFilePermissions(workspace, PosixFilePermissions.fromString("rwxr-xr-x"));
        WorkspaceAccount.changeOwner(workspace, WorkspaceAccount.of(workspace));
    }

    private int run(String... words) {
        CommandLine line = ToolgateCommand.commandLine(words);
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(words);
    }

    private int call(String tool, String... words) {
        String[] all = new String[words.length + 4];
        System.arraycopy(new String[] {"call", "-w", workspace.toString(), tool}, 0, all, 0, 4);
        System.arraycopy(words, 0, all, 4, words.length);
        return run(all);
    }

    @Test
    void help_lists_the_commands() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString()).contains("serve", "tools", "call", "doctor", "agents", "grant", "audit", "health");
    }

    @Test
    void every_command_has_the_name_shown_in_its_help() {
        ToolgateCommand.COMMANDS.forEach((name, type) ->
                assertThat(new CommandLine(type).getCommandName()).isEqualTo(name));
    }

    @Test
    void an_unknown_command_is_refused_and_help_lists_the_commands() {
        assertThat(run("tols")).isEqualTo(2);
        assertThat(err.toString()).contains("'tols'");
        assertThat(run("help")).isZero();
        assertThat(out.toString()).contains("serve", "audit", "health");
    }

    @Test
    void the_version_names_the_program_and_its_java() {
        assertThat(run("--version")).isZero();
        assertThat(out.toString()).startsWith("toolgate ").contains("Java ");
    }

    @Test
    void tools_lists_every_tool_with_its_aliases() {
        assertThat(run("tools", "-w", workspace.toString())).isZero();
        assertThat(out.toString())
                .contains("file_read", "file_write", "file_delete", "file_list", "bash", "http_request")
                .contains("also ReadFile, readFile");
    }

    @Test
    void one_tool_is_shown_with_its_schema() {
        assertThat(run("tools", "-w", workspace.toString(), "RunCommand")).isZero();
        JsonNode tool = Json.MAPPER.readTree(out.toString());
        assertThat(tool.path("name").asString()).isEqualTo("bash");
        assertThat(tool.path("inputSchema").path("required").path(0).asString()).isEqualTo("command");
    }

    @Test
    void arguments_given_as_words_are_converted_by_the_schema() throws IOException {
        Files.writeString(workspace.resolve("a.txt"), "one\ntwo\nthree\n");

        assertThat(call("file_read", "path=a.txt", "offset=2", "limit=1")).isZero();
        assertThat(out.toString().strip()).isEqualTo("two");
    }

    @Test
    void arguments_can_be_given_as_json() {
        assertThat(call("file_write", "--json", "{\"path\": \"b.txt\", \"content\": \"a=b\"}"))
                .isZero();
        assertThat(workspace.resolve("b.txt")).hasContent("a=b");
    }

    @Test
    void a_value_may_contain_anything_after_the_first_equals_sign() {
        assertThat(call("file_write", "path=b.txt", "content=x=1 y=2")).isZero();
        assertThat(workspace.resolve("b.txt")).hasContent("x=1 y=2");
    }

    @Test
    void a_confined_command_runs() {
        assertThat(call("bash", "command=echo hello; pwd")).isZero();
        assertThat(out.toString()).contains("Exit code: 0").contains("hello").contains(workspace.toString());
    }

    @Test
    void the_whole_result_can_be_printed_as_json() {
        assertThat(call("bash", "--result-json", "command=exit 3")).isEqualTo(1);
        assertThat(Json.MAPPER
                        .readTree(out.toString())
                        .path("error")
                        .path("code")
                        .asString())
                .isEqualTo("TOOL_EXECUTION_FAILED");
    }

    @Test
    void a_failed_call_prints_one_sentence_and_exits_with_a_code() {
        assertThat(call("file_read", "path=none.txt")).isEqualTo(1);
        assertThat(err.toString().lines()).singleElement().asString().startsWith("toolgate: FILE_NOT_FOUND: ");
    }

    @Test
    void wrong_usage_prints_one_sentence_and_a_hint() {
        assertThat(run("nonsense")).isEqualTo(2);
        assertThat(call("file_read", "path")).isEqualTo(1);
        assertThat(call("file_read", "--json", "{")).isEqualTo(1);
        assertThat(call("file_read", "--json", "[]")).isEqualTo(1);
        assertThat(call("file_read", "--json", "{}", "path=a")).isEqualTo(1);
        assertThat(call("nope")).isEqualTo(1);
        assertThat(run("call", "-w", "/does/not/exist", "file_list")).isEqualTo(1);
        assertThat(err.toString())
                .contains("There is no tool 'nope'; there are bash, data_analyze, data_visualize, file_delete")
                .contains("/does/not/exist")
                .doesNotContain("Exception")
                .doesNotContain("\tat ");
        assertThat(err.toString().lines()).hasSize(8);
    }

    @Test
    void the_doctor_prints_checks_and_fixes() {
        int healthy = run("doctor", "-w", workspace.toString());

        assertThat(out.toString())
                .contains("bubblewrap")
                .contains("attack: be root")
                .contains("Everything works");
        assertThat(healthy).isZero();
        assertThat(run("doctor", "-w", "/does/not/exist")).isEqualTo(1);
        assertThat(out.toString()).contains("fix: ");
    }
}
