package dev.toolgate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.policy.CapabilityGrant;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Opens a session gate for each test, and checks afterwards that the victim file is unchanged. */
abstract class WithSessionGate {
    @TempDir
    Path folder;

    SessionGate gate;
    Path victim;

    @BeforeEach
    void open() throws IOException {
        gate = new SessionGate(folder);
        victim = gate.file("secret/victim", "untouched");
        gate.file("src/a.txt", "hello");
    }

    @AfterEach
    void close() throws IOException {
        gate.close();
        assertThat(victim).hasContent("untouched");
    }

    static CapabilityGrant paths(String name, @Nullable List<String> allowed, @Nullable List<String> blocked) {
        return new CapabilityGrant(name, allowed, blocked, null, null, null, null, null, null, false, null);
    }
}
