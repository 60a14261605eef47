package dev.toolgate.runtime.tools.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WriteTrackerTest extends WithFileTools {
    private static final TenantId LOCAL = Caller.local().tenant();
    private static final SessionId MINE = new SessionId("mine");

    @BeforeEach
    void join_a_session() {
        tools.caller = Caller.local().in(MINE);
    }

    @Test
    void the_patch_shows_all_changes_of_a_session() throws Exception {
        folders.file("changed.txt", "before\n");
        folders.file("gone.txt", "bye\n");
        tools.call("file_write", Map.of("path", "changed.txt", "content", "between\n"));
        tools.call("file_write", Map.of("path", "changed.txt", "content", "after\n"));
        tools.call("file_write", Map.of("path", "new.txt", "content", "hello\n"));
        tools.call("file_delete", Map.of("path", "gone.txt"));
        assertThat(tools.tracker.patch(LOCAL, MINE))
                .contains("--- a/changed.txt\n+++ b/changed.txt\n@@ -1,1 +1,1 @@\n-before\n+after\n")
                .contains("--- /dev/null\n+++ b/new.txt\n@@ -0,0 +1,1 @@\n+hello\n")
                .contains("--- a/gone.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-bye\n")
                .doesNotContain("between");
        assertThat(tools.tracker.files(LOCAL, MINE)).hasSize(3);
    }

    @Test
    void reverted_changes_are_not_in_the_patch() throws Exception {
        tools.call("file_write", Map.of("path", "new.txt", "content", "x"));
        tools.call("file_delete", Map.of("path", "new.txt"));
        assertThat(tools.tracker.patch(LOCAL, MINE)).isEmpty();
    }

    @Test
    void sessions_and_tenants_do_not_see_each_other() throws Exception {
        tools.call("file_write", Map.of("path", "new.txt", "content", "x"));
        assertThat(tools.tracker.patch(LOCAL, new SessionId("other"))).isEmpty();
        assertThat(tools.tracker.patch(new TenantId("other"), MINE)).isEmpty();
        assertThat(tools.tracker.patch(LOCAL, null)).isEmpty();
        tools.tracker.forget(LOCAL, MINE);
        assertThat(tools.tracker.patch(LOCAL, MINE)).isEmpty();
    }

    @Test
    void a_call_that_fails_is_not_tracked() {
        tools.failure("file_delete", Map.of("path", "none"));
        tools.failure("file_write", Map.of("path", ".env", "content", "x"));
        assertThat(tools.tracker.files(LOCAL, MINE)).isEmpty();
    }
}
