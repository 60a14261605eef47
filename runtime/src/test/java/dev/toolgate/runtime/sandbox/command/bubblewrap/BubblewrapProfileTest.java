package dev.toolgate.runtime.sandbox.command.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.runtime.platform.Account;
import dev.toolgate.runtime.sandbox.command.CommandLimits;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class BubblewrapProfileTest {
    private static final Path BWRAP = Path.of("/usr/bin/bwrap");
    private static final Path PRLIMIT = Path.of("/usr/bin/prlimit");
    private static final Account ACCOUNT = new Account("someone", 1234, 567);
    private static final SupportFiles FILES = new SupportFiles(
            Path.of("/s"), Path.of("/s/filter"), Path.of("/s/empty"), Path.of("/s/hosts"), Path.of("/s/aside"));

    @Test
    void root_drops_privileges_before_bubblewrap_starts() {
        List<String> line = line(new Launch(BWRAP, PRLIMIT, Path.of("/usr/bin/setpriv"), ACCOUNT));

        assertThat(line)
                .containsSubsequence(
                        "/usr/bin/setpriv",
                        "--reuid=1234",
                        "--regid=567",
                        "--clear-groups",
                        "--no-new-privs",
                        "--",
                        "/usr/bin/bwrap");
    }

    @Test
    void an_ordinary_user_starts_bubblewrap_directly() {
        assertThat(line(new Launch(BWRAP, PRLIMIT, null, ACCOUNT)))
                .startsWith("/bin/sh", "-c", "exec \"$@\" 8>&1 9<\"$0\"", "/s/filter", "/usr/bin/bwrap");
    }

    @Test
    void has_every_option_the_design_requires() {
        assertThat(line(new Launch(BWRAP, PRLIMIT, null, ACCOUNT)))
                .contains(
                        "--unshare-user",
                        "--unshare-pid",
                        "--unshare-ipc",
                        "--unshare-uts",
                        "--unshare-cgroup",
                        "--unshare-net",
                        "--disable-userns",
                        "--die-with-parent",
                        "--new-session",
                        "--clearenv",
                        "--core=0",
                        "--nproc=512")
                .containsSequence("--cap-drop", "ALL")
                .containsSequence("--bind", "/w", "/w")
                .containsSequence("--ro-bind", "/s/empty", "/w/a/.env")
                .containsSubsequence("--bind", "/w", "--bind", "/w/a", "--ro-bind", "/s/empty")
                .containsSubsequence("--bind", "/w/.git", "--ro-bind", "/w/.git/hooks", "--remount-ro", "/")
                .containsSequence("--ro-bind", "/s/empty", "/w/.git/config")
                .containsSequence("--seccomp", "9")
                .doesNotContain("--share-net", "--cap-add", BubblewrapProfile.PROXY_SOCKET)
                .endsWith("--", "/bin/sh", "-c", "script");
    }

    private static List<String> line(Launch launch) {
        SystemView system =
                new SystemView(List.of("--ro-bind", "/usr", "/usr"), List.of(), List.of(Path.of("/proc/keys")));
        WorkspaceShape shape = new WorkspaceShape(
                source("/w", BindSource.Kind.FOLDER),
                List.of(source("/w/a/.env", BindSource.Kind.FILE)),
                List.of(),
                List.of(source("/w/.git", BindSource.Kind.FOLDER), source("/w/.git/hooks", BindSource.Kind.FOLDER)),
                List.of());
        return new BubblewrapProfile(launch, ParentOverlay.NONE, FILES, system, CommandLimits.standard())
                .line(shape, VisibleParts.whole(shape), null, "script");
    }

    private static BindSource source(String path, BindSource.Kind kind) {
        return new BindSource(Path.of(path), 1, 1, kind, "");
    }
}
