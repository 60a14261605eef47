package dev.toolgate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.runtime.platform.WorkspaceAccount;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of the README. */
class EmbeddingExampleTest {
    @Test
    void a_program_writes_a_file_through_the_router(@TempDir Path workspace, @TempDir Path stateFolder)
            throws Exception {
        WorkspaceAccount.changeOwner(workspace, WorkspaceAccount.of(workspace));
        try (LocalRuntime runtime = LocalRuntime.open(RuntimeSettings.of(workspace, stateFolder))) {
            ToolResult result = runtime.router()
                    .execute(ToolRequest.of(
                            "WriteFile",
                            Map.of("path", workspace.resolve("notes.txt").toString(), "content", "hello")));
            System.out.println(result.status() + ": " + result.outputText());

            assertThat(result.status()).isEqualTo(ToolResult.Status.SUCCEEDED);
        }
        assertThat(workspace.resolve("notes.txt")).hasContent("hello");
        assertThat(workspace).isDirectoryNotContaining(file -> !file.endsWith("notes.txt"));
    }
}
