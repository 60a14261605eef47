package dev.toolgate.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.guide.GuideExamples;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AddingADoorTest {

    @Test
    void the_example_of_the_guide_compiles_and_its_tests_pass(@TempDir Path folder) throws Exception {
        try (GuideExamples examples = GuideExamples.compile("adding-a-door.md", folder)) {
            assertThat(examples.sources()).hasSize(2);
            Class<?> test = examples.load("example.LineRoutesTest");
            Constructor<?> constructor = test.getDeclaredConstructor();
            constructor.setAccessible(true);
            List<Method> methods = Arrays.stream(test.getDeclaredMethods())
                    .filter(method -> method.isAnnotationPresent(Test.class))
                    .toList();
            assertThat(methods).hasSize(3);
            for (Method method : methods) {
                method.setAccessible(true);
                method.invoke(constructor.newInstance());
            }
        }
    }
}
