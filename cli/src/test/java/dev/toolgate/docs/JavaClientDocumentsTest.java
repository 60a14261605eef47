package dev.toolgate.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.runtime.platform.WorkspaceAccount;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.wiring.ToolgateServer;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every program of the Java client's README, guide and examples is compiled and run against a real server. */
@Timeout(300)
class JavaClientDocumentsTest {
    private static final Path EXAMPLES = Documents.ROOT.resolve("clients/java/src/examples/java");
    private static final Pattern PROGRAM = Pattern.compile("(?ms)^```java\\n(.*?)^```\\n(?:```text\\n(.*?)^```\\n)?");
    private static final Pattern PRINTS = Pattern.compile("// Prints: (.*)");
    private static final Pattern CLASS = Pattern.compile("public class (\\w+)");

    /** A class to run after some commands, and the lines it must print. */
    record Program(String name, String source, String commands, List<String> expected) {
        @Override
        public String toString() {
            return name;
        }
    }

    @TempDir
    private static Path home;

    @TempDir
    private static Path folder;

    private static ToolgateServer server;

    @BeforeAll
    static void start() throws Exception {
        ServerSettings settings = ServerSettings.load(
                null, Map.of("DATABASE_URL", FreshDatabase.url()), Map.of("home", home.toString(), "ports", "0"));
        server = ToolgateServer.start(settings, List.of());
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        WorkspaceAccount.changeOwner(folder, WorkspaceAccount.of(folder));
        BuiltToolgate.in(folder);
        compile(programs().toList());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    static Stream<Program> programs() throws IOException {
        try (Stream<Path> files = Files.list(EXAMPLES)) {
            List<Program> all = files.sorted()
                    .map(JavaClientDocumentsTest::example)
                    .collect(Collectors.toCollection(ArrayList::new));
            // The guide adds files, so it comes last.
            all.add(0, document("clients/java/README.md"));
            all.add(document("docs/guides/java.md"));
            return all.stream();
        }
    }

    @ParameterizedTest
    @MethodSource("programs")
    void the_program_prints_the_documented_output(Program program) throws Exception {
        assertThat(program.expected()).isNotEmpty();
        Path output = folder.resolve(program.name() + ".out");
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        ProcessBuilder shell = new ProcessBuilder(
                        "bash",
                        "-c",
                        "set -eu\n" + program.commands() + "exec '" + java
                                + "' -XX:TieredStopAtLevel=1 -cp \"$CLIENT\" " + program.name())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile());
        Map<String, String> environment = shell.environment();
        environment.keySet().removeIf(name -> name.startsWith("TOOLGATE") || name.equals("DATABASE_URL"));
        environment.putAll(Map.of(
                "TOOLGATE_URL",
                server.url(),
                "TOOLGATE_HOME",
                home.toString(),
                "TOOLGATE_KEY",
                Files.readString(home.resolve("admin.key")).strip(),
                "CLIENT",
                folder + File.pathSeparator + System.getProperty("java.class.path")));
        environment.merge("PATH", folder.toString(), (path, first) -> first + ":" + path);
        Process running = shell.start();
        try {
            assertThat(running.waitFor(4, TimeUnit.MINUTES)).as("ends").isTrue();
        } finally {
            running.destroyForcibly();
        }
        String printed = Files.readString(output);
        assertThat(running.exitValue()).as(printed).isZero();
        assertThat(printed).containsSubsequence(program.expected());
    }

    private static Program example(Path file) {
        String source = Documents.text(file);
        List<String> expected =
                PRINTS.matcher(source).results().map(found -> found.group(1)).toList();
        return new Program(file.getFileName().toString().replace(".java", ""), source, "", expected);
    }

    /** The commands of a document, and its Java as one program: a complete class, or the body of a method. */
    private static Program document(String path) {
        String text = Documents.text(Documents.ROOT.resolve(path));
        List<Block> blocks = Block.of(text);
        List<String> expected = new ArrayList<>(
                blocks.stream().flatMap(block -> block.expected().stream()).toList());
        StringBuilder code = new StringBuilder();
        for (MatchResult found : PROGRAM.matcher(text).results().toList()) {
            code.append(found.group(1));
            if (found.group(2) != null) {
                expected.addAll(found.group(2).lines().toList());
            }
        }
        String commands = blocks.stream().map(Block::commands).collect(Collectors.joining());
        String source = code.toString();
        if (CLASS.matcher(source).find()) {
            return new Program(
                    CLASS.matcher(source).results().findFirst().orElseThrow().group(1), source, commands, expected);
        }
        Map<Boolean, List<String>> lines =
                source.lines().collect(Collectors.partitioningBy(line -> line.startsWith("import ")));
        return new Program(
                "Guide",
                String.join("\n", lines.get(true))
                        + "\npublic class Guide {\npublic static void main(String[] arguments) throws Exception {\n"
                        + String.join("\n", lines.get(false)) + "\n}\n}\n",
                commands,
                expected);
    }

    private static void compile(List<Program> programs) throws IOException {
        Map<String, Path> sources = new TreeMap<>();
        for (Program program : programs) {
            Path file = folder.resolve(program.name() + ".java");
            Files.writeString(file, program.source());
            sources.put(program.name(), file);
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "--release",
                    "17",
                    "-proc:none",
                    "-Xlint:all",
                    "-Xlint:-classfile",
                    "-d",
                    folder.toString(),
                    "-cp",
                    System.getProperty("java.class.path"));
            boolean compiled = compiler.getTask(
                            said, files, null, options, null, files.getJavaFileObjectsFromPaths(sources.values()))
                    .call();
            assertThat(compiled).as(said.toString()).isTrue();
        }
    }
}
