package dev.toolgate.cli.hook;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The script that {@code toolgate hook} runs, in the folder {@code scripts} of every installation. */
final class HookScript {
    private static final Pattern SETTINGS = Pattern.compile(" --settings '((?:[^']|'\\\\'')*)'");

    private HookScript() {}

    /**
     * Its path.
     *
     * @throws IOException if this installation does not have it
     */
    static Path find() throws IOException {
        Path program = program();
        Path folder = program == null ? null : program.getParent();
        if (folder == null) {
            throw new IOException("this installation has no script for hooks");
        }
        // beside the jar in the container, in the project in a checkout
        return Stream.of(folder.resolve("scripts/hook"), folder.resolve("../../scripts/hook"))
                .map(Path::normalize)
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IOException("this installation has no script for hooks; it belongs into "
                        + folder.resolve("scripts/hook")));
    }

    private static @Nullable Path program() throws IOException {
        CodeSource source = HookScript.class.getProtectionDomain().getCodeSource();
        try {
            return source == null ? null : Path.of(source.getLocation().toURI());
        } catch (URISyntaxException impossible) {
            throw new IOException(impossible);
        }
    }

    /** The command line that answers a hook before the tool runs. */
    static String before(HookedProgram client, GateHook hook) throws IOException {
        return command(client, hook);
    }

    /** The command line that reports the outcome of a call. */
    static String after(HookedProgram client, GateHook hook) throws IOException {
        return command(client, hook) + " --after";
    }

    private static String command(HookedProgram client, GateHook hook) throws IOException {
        return quoted(find().toString()) + " " + client
                + (hook.keyFile() == null
                        ? ""
                        : " --settings " + quoted(hook.keyFile().toString()));
    }

    /** Whether a command line is one of these. */
    static boolean runs(String command, HookedProgram client) {
        return command.contains("/scripts/hook' " + client);
    }

    /** The file that such a command line takes its key from. */
    static Optional<Path> keyFile(String command) {
        Matcher option = SETTINGS.matcher(command);
        return option.find() ? Optional.of(Path.of(option.group(1).replace("'\\''", "'"))) : Optional.empty();
    }

    /** Quotes an argument for a shell. */
    static String quoted(String word) {
        return "'" + word.replace("'", "'\\''") + "'";
    }
}
