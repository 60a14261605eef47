package dev.toolgate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.policy.CapabilityGrant;
import dev.toolgate.core.schema.Touch;
import dev.toolgate.core.tool.Tool;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The limits of a session for files, hosts and sizes. */
class CapabilityScopesTest extends WithSessionGate {
    @Test
    void arguments_for_paths_urls_and_commands_are_declared_as_such() {
        for (Tool<?> tool : gate.catalog.all(SessionGate.TENANT)) {
            tool.spec().arguments().schema().path("properties").propertyNames().forEach(name -> {
                if (name.matches("(?i).*(path|folder|file|cwd|url|command).*")) {
                    assertThat(tool.spec().arguments().touch(name))
                            .as("%s of %s", name, tool.spec().name())
                            .isNotEqualTo(Touch.NOTHING);
                }
            });
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"secret/victim", "src/../secret/victim", "src/link/victim", "./secret/victim"})
    void file_tools_are_refused_outside_the_allowed_paths(String path) throws IOException {
        Files.createSymbolicLink(gate.workspace.resolve("src/link"), gate.workspace.resolve("secret"));
        for (CapabilityGrant limited :
                List.of(paths("File.Read", List.of("src"), null), paths("File.Read", null, List.of("secret")))) {
            gate.allowing(limited);
            assertThat(gate.refused("file_read", Map.of("path", path)).code()).isEqualTo(ErrorCode.CAPABILITY_DENIED);
        }
        gate.allowing(paths("File.Write", List.of("src"), null));
        assertThat(gate.refused("file_write", Map.of("path", path, "content", "bad"))
                        .code())
                .isEqualTo(ErrorCode.CAPABILITY_DENIED);
        gate.allowing(paths("File.Delete", null, List.of("secret")));
        assertThat(gate.refused("file_delete", Map.of("path", path)).code()).isEqualTo(ErrorCode.CAPABILITY_DENIED);
    }

    @Test
    void file_tools_work_within_the_allowed_paths() {
        gate.allowing(paths("File.Read", List.of("src"), null));

        assertThat(gate.completed("file_read", Map.of("path", "src/a.txt")).text())
                .contains("hello");
        assertThat(gate.completed("file_list", Map.of("path", "src")).text()).contains("a.txt");
        assertThat(gate.refused("file_list", Map.of()).message()).contains("'.'");
    }

    @Test
    void a_host_that_is_not_allowed_is_refused_before_anything_is_sent() {
        gate.allowing(new CapabilityGrant(
                "Network.Http", null, null, null, null, List.of("example.com"), null, null, null, false, null));

        assertThat(gate.refused("http_request", Map.of("url", "http://127.0.0.1:1/"))
                        .message())
                .isEqualTo("Host '127.0.0.1' is not among the domains the policy allows: [example.com]; capability"
                        + " 'Network.Http' of this session would need that host in allowedDomains");
    }

    @Test
    void size_limits_apply_to_the_tools() {
        gate.allowing(
                new CapabilityGrant("File.Write", null, null, null, null, null, null, 3L, null, false, null),
                new CapabilityGrant("Shell.Exec", null, null, null, null, null, null, null, 200, false, null));

        assertThat(gate.failed("file_write", Map.of("path", "src/b", "content", "four"))
                        .code())
                .isEqualTo(ErrorCode.FILE_TOO_LARGE);
        assertThat(gate.completed("bash", Map.of("command", "seq 1 1000"))
                        .text()
                        .length())
                .isLessThanOrEqualTo(200);
    }
}
