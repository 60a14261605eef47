package dev.toolgate.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

class AddingAToolTest {
    private static final Pattern EXAMPLE = Pattern.compile("```java file=(\\S+)\\n(.*?)```", Pattern.DOTALL);

    @Test
    void the_example_of_the_guide_compiles_and_its_test_passes(@TempDir Path folder) throws Exception {
        List<Path> sources = extract(folder);
        assertThat(sources).hasSize(2);
        compile(sources, folder);

        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (URLClassLoader examples =
                new URLClassLoader(new URL[] {folder.toUri().toURL()}, before)) {
            Thread.currentThread().setContextClassLoader(examples);
            TestExecutionSummary summary = run(examples.loadClass("example.WordCountToolTest"));

            assertThat(summary.getFailures()).isEmpty();
            assertThat(summary.getTestsSucceededCount()).isEqualTo(1);
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
    }

    private static List<Path> extract(Path folder) throws IOException {
        Path guide = Path.of(System.getProperty("toolgate.root"), "docs", "adding-a-tool.md");
        List<Path> sources = new ArrayList<>();
        Matcher examples = EXAMPLE.matcher(Files.readString(guide));
        while (examples.find()) {
            sources.add(Files.writeString(folder.resolve(examples.group(1)), examples.group(2)));
        }
        return sources;
    }

    private static void compile(List<Path> sources, Path target) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter complaints = new StringWriter();
        boolean compiled = compiler.getTask(
                        complaints,
                        null,
                        null,
                        List.of(
                                "-d",
                                target.toString(),
                                "-classpath",
                                System.getProperty("java.class.path"),
                                "-proc:none"),
                        null,
                        compiler.getStandardFileManager(null, null, null).getJavaFileObjectsFromPaths(sources))
                .call();
        assertThat(compiled).as(complaints.toString()).isTrue();
    }

    private static TestExecutionSummary run(Class<?> test) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(test))
                .build();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, listener);
        return listener.getSummary();
    }
}
