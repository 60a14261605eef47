package dev.toolgate.runtime.tools.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.runtime.command.FinishedCommand;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PythonTest {
    @TempDir
    private Path empty;

    @Test
    void a_missing_interpreter_is_named_with_the_fix() {
        assertThatThrownBy(() -> new Python(List.of(empty)).find())
                .hasMessageContaining("Python is not installed")
                .hasMessageContaining("apt-get install -y python3");
    }

    @ParameterizedTest
    @CsvSource({"pandas, pandas", "sklearn.cluster, scikit-learn", "PIL, pillow"})
    void a_missing_package_is_reported_by_its_install_name(String module, String itsPackage) {
        String traceback = "Traceback (most recent call last):\n  File \"<stdin>\", line 1, in <module>\n"
                + "ModuleNotFoundError: No module named '" + module + "'\n";

        assertThat(ScriptFailure.of(new FinishedCommand(1, "", "", traceback, List.of(), Map.of())))
                .hasMessageEndingWith("to fix it: pip install " + itsPackage);
    }

    @Test
    void a_silent_failure_is_reported_by_exit_code() {
        assertThat(ScriptFailure.of(new FinishedCommand(3, "", "", "", List.of(), Map.of())))
                .hasMessage("The script ended with exit code 3");
    }
}
