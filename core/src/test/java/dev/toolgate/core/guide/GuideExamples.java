package dev.toolgate.core.guide;

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

/** Compiles the Java examples of a guide as a reader would. */
public final class GuideExamples implements AutoCloseable {
    private static final Pattern EXAMPLE = Pattern.compile("```java file=(\\S+)\\n(.*?)```", Pattern.DOTALL);

    private final List<Path> sources;
    private final URLClassLoader loader;

    private GuideExamples(List<Path> sources, URLClassLoader loader) {
        this.sources = sources;
        this.loader = loader;
    }

    /**
     * Compiles the examples of a file in the docs folder.
     *
     * @throws AssertionError with the compiler's messages, if they do not compile
     */
    public static GuideExamples compile(String guide, Path target) throws IOException {
        List<Path> sources = new ArrayList<>();
        Path docs = Path.of(System.getProperty("toolgate.root"), "docs");
        Matcher examples = EXAMPLE.matcher(Files.readString(docs.resolve(guide)));
        while (examples.find()) {
            sources.add(Files.writeString(target.resolve(examples.group(1)), examples.group(2)));
        }
        compile(sources, target);
        return new GuideExamples(
                List.copyOf(sources),
                new URLClassLoader(
                        new URL[] {target.toUri().toURL()},
                        Thread.currentThread().getContextClassLoader()));
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
        if (!compiled) {
            throw new AssertionError(complaints.toString());
        }
    }

    /** The files, in order. */
    public List<Path> sources() {
        return sources;
    }

    /** Loads one of the classes. */
    public Class<?> load(String name) throws ClassNotFoundException {
        return loader.loadClass(name);
    }

    /** The class loader of the examples. */
    public ClassLoader loader() {
        return loader;
    }

    @Override
    public void close() throws IOException {
        loader.close();
    }
}
