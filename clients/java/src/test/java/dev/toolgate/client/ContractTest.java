package dev.toolgate.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The recorded exchanges of all clients, on this Java and on the oldest one that the client is made for. */
class ContractTest {
    private static final Path CONTRACT = Path.of(System.getProperty("toolgate.root"), "clients", "contract");

    @TempDir
    private Path folder;

    static List<Path> scenarios() throws IOException {
        return ContractReplay.scenarios(CONTRACT);
    }

    @ParameterizedTest
    @MethodSource("scenarios")
    void replays(Path scenario) throws IOException {
        ContractReplay.replay(scenario);
    }

    @TestFactory
    Stream<DynamicTest> replays_on_java_17() {
        List<Path> homes = InstalledJava.homes(17);
        if (homes.isEmpty()) {
            return Stream.of(DynamicTest.dynamicTest(
                    "no Java 17 is installed here: only the version of the classes is checked",
                    ContractTest::classesAreForJava17));
        }
        return homes.stream().limit(1).map(home -> DynamicTest.dynamicTest("on " + home, () -> replayOn(home)));
    }

    private static void classesAreForJava17() throws IOException {
        byte[] content = Toolgate.class.getResourceAsStream("Toolgate.class").readAllBytes();
        assertThat(content[7]).as("major version").isEqualTo((byte) 61);
    }

    private void replayOn(Path home) throws Exception {
        Path said = folder.resolve("said");
        Process java = new ProcessBuilder(
                        home.resolve("bin").resolve("java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ContractReplay.class.getName(),
                        CONTRACT.toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            assertThat(java.waitFor(4, TimeUnit.MINUTES)).as("ends").isTrue();
        } finally {
            java.destroyForcibly();
        }
        assertThat(text(said)).contains("Replayed " + scenarios().size() + " scenarios on Java 17");
        assertThat(java.exitValue()).isZero();
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
