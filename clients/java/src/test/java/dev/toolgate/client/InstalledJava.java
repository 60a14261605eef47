package dev.toolgate.client;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/** The Java runtimes of this machine, where installers put them. */
final class InstalledJava {
    private InstalledJava() {}

    /** The homes of runtimes with this feature version. */
    static List<Path> homes(int feature) {
        String user = System.getProperty("user.home");
        Stream<Path> named = System.getenv().entrySet().stream()
                .filter(variable -> variable.getKey().matches("JAVA_?HOME.*|JAVA\\d+_HOME|JDK_?\\d+.*"))
                .map(variable -> Path.of(variable.getValue()));
        Stream<Path> found = Stream.of(
                        String.valueOf(Path.of(System.getProperty("java.home")).getParent()),
                        "/usr/lib/jvm",
                        "/usr/java",
                        "/opt/java",
                        user + "/.sdkman/candidates/java",
                        user + "/.jdks",
                        "/Library/Java/JavaVirtualMachines")
                .flatMap(folder -> children(Path.of(folder)))
                .flatMap(home -> Stream.of(home, home.resolve("Contents").resolve("Home")));
        return Stream.concat(named, found)
                .filter(home -> Files.isExecutable(home.resolve("bin").resolve("java")))
                .filter(home -> version(home).matches("\"?" + feature + "([.+-].*)?"))
                .map(InstalledJava::real)
                .distinct()
                .toList();
    }

    private static Stream<Path> children(Path folder) {
        if (!Files.isDirectory(folder)) {
            return Stream.empty();
        }
        try (Stream<Path> children = Files.list(folder)) {
            return children.sorted().toList().stream();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static String version(Path home) {
        Properties release = new Properties();
        try (Reader file = Files.newBufferedReader(home.resolve("release"))) {
            release.load(file);
        } catch (IOException unknown) {
            return "";
        }
        return release.getProperty("JAVA_VERSION", "");
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
