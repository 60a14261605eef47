package dev.toolgate.cli.mcp;

import dev.toolgate.cli.Main;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Starts {@code toolgate} as another program would. */
public final class ToolgateProcess {
    private ToolgateProcess() {}

    /** The command line with these arguments. */
    public static List<String> command(String... words) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                // not the configuration of the tests, which logs to standard output
                "-Dlogback.configurationFile=logback.xml",
                Main.class.getName()));
        command.addAll(List.of(words));
        return command;
    }

    /** The environment variables it needs to reach a server. */
    public static Map<String, String> environment(String url, String key) {
        Map<String, String> environment = new TreeMap<>();
        environment.put("CLASSPATH", System.getProperty("java.class.path"));
        environment.put("TOOLGATE_URL", url);
        environment.put("TOOLGATE_KEY", key);
        return environment;
    }
}
