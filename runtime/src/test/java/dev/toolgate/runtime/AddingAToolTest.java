package dev.toolgate.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import dev.toolgate.core.guide.GuideExamples;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

class AddingAToolTest {

    @Test
    void the_example_of_the_guide_compiles_and_its_test_passes(@TempDir Path folder) throws Exception {
        ClassLoader before = Thread.currentThread().getContextClassLoader();
        try (GuideExamples examples = GuideExamples.compile("adding-a-tool.md", folder)) {
            assertThat(examples.sources()).hasSize(4);
            Thread.currentThread().setContextClassLoader(examples.loader());

            for (String test : new String[] {"example.WordCountToolTest", "example.LineCountToolTest"}) {
                TestExecutionSummary summary = run(examples.load(test));

                assertThat(summary.getFailures()).isEmpty();
                assertThat(summary.getTestsSucceededCount()).isEqualTo(1);
            }
        } finally {
            Thread.currentThread().setContextClassLoader(before);
        }
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
