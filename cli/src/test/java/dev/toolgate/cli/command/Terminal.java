package dev.toolgate.cli.command;

import dev.toolgate.cli.ToolgateCommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;

/** Runs commands against one server and returns their output. */
public final class Terminal {
    private final List<String> options;

    private Terminal(List<String> options) {
        this.options = options;
    }

    public static Terminal at(String url, Path keyFile) {
        return new Terminal(List.of("--url", url, "--key-file", keyFile.toString()));
    }

    /** The result of a command. */
    public record Result(int code, String out, String err) {}

    public Result run(String... words) {
        return runInto(new StringWriter(), words);
    }

    /** Runs a command with its output going to this stream. */
    Result runInto(Writer out, String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(options);
        StringWriter err = new StringWriter();
        String[] line = all.toArray(String[]::new);
        CommandLine commands = ToolgateCommand.commandLine(line);
        commands.setOut(new PrintWriter(out, true));
        commands.setErr(new PrintWriter(err, true));
        int code = commands.execute(line);
        return new Result(code, out.toString(), err.toString());
    }
}
