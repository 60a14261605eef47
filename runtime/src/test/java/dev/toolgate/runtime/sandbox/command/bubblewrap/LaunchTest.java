package dev.toolgate.runtime.sandbox.command.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.platform.Account;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LaunchTest {
    private final Account account = SandboxFixture.pickAccount();

    @Test
    void names_what_to_install_for_each_missing_program() {
        for (String missing : List.of("bwrap", "prlimit")) {
            assertThatThrownBy(() -> Launch.find(
                            account,
                            name -> name.equals(missing) ? Optional.empty() : Optional.of(Path.of("/usr/bin", name))))
                    .isInstanceOf(ToolFailure.class)
                    .hasMessageContaining(missing + " is not installed")
                    .hasMessageMatching(".*(install|add|-S).* (bubblewrap|util-linux)");
        }
    }

    @Test
    void root_needs_setpriv_and_others_do_not() throws Exception {
        Launch launch = Launch.find(account);

        assertThat(launch.setpriv() != null).isEqualTo(SandboxFixture.runsAsRoot());
    }

    @Test
    void is_never_root() {
        assertThatThrownBy(() -> Launch.find(new Account("root", 0, 0)))
                .isInstanceOf(ToolFailure.class)
                .hasMessageContaining("never run as root");
    }
}
