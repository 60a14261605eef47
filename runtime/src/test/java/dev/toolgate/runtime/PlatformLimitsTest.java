package dev.toolgate.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.runtime.platform.Check;
import dev.toolgate.runtime.platform.Platform;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlatformLimitsTest {
    @Test
    void lists_what_does_not_work_on_windows() {
        assertThat(PlatformLimits.of(platform("Windows 11")))
                .allMatch(check -> !check.ok() && check.fix().contains("Linux"))
                .extracting(Check::name)
                .contains("commands", "limits of commands", "dangerous files", "scripts", "web pages");
    }

    @Test
    void is_empty_only_on_linux() {
        assertThat(PlatformLimits.of(platform("Linux"))).isEmpty();
        assertThat(PlatformLimits.of(platform("Mac OS X"))).isNotEmpty();
    }

    private static Platform platform(String name) {
        return Platform.of(name, Path.of("/home/ada"), Map.of());
    }
}
