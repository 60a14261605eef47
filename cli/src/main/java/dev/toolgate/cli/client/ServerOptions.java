package dev.toolgate.cli.client;

import dev.toolgate.cli.terminal.PrintableText;
import dev.toolgate.cli.terminal.ResultPrinter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** The options of every command that talks to a server. */
public final class ServerOptions {
    @Option(
            names = "--url",
            paramLabel = "URL",
            description = "The server's address; default: TOOLGATE_URL, else http://127.0.0.1:8001, or"
                    + " https://localhost:8001 if TOOLGATE_TLS_CERT is set.")
    private @Nullable String url;

    @Option(
            names = "--ca",
            paramLabel = "FILE",
            description = "Certificates (PEM) to trust instead of the default ones; default: TOOLGATE_CA, else the"
                    + " server's own in TOOLGATE_TLS_CERT.")
    private @Nullable Path ca;

    @Option(
            names = "--key-file",
            paramLabel = "FILE",
            description = "The file with the key; default: TOOLGATE_KEY, else admin.key in the data folder.")
    private @Nullable Path keyFile;

    @Option(names = "--json", description = "Print the server's answer as JSON.")
    private boolean json;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /** A client that authenticates with the key. */
    public Api api() throws IOException {
        return new Api(address(), key());
    }

    public ServerAddress address() {
        return ServerAddress.of(url, ca);
    }

    public Key key() throws IOException {
        return Key.find(keyFile);
    }

    /** A client without a key. */
    public Api withoutKey() throws IOException {
        return new Api(address(), null);
    }

    /** The printer for responses. */
    public ResultPrinter output() {
        return new ResultPrinter(out(), json ? ResultPrinter.Form.JSON : ResultPrinter.Form.TEXT);
    }

    public PrintWriter out() {
        return command.commandLine().getOut();
    }

    /** Prints the server's warnings. */
    public void warn(JsonNode warnings) {
        warnings.forEach(warning -> err().println("toolgate: warning: " + PrintableText.of(warning.asString(""))));
        err().flush();
    }

    public PrintWriter err() {
        return command.commandLine().getErr();
    }
}
