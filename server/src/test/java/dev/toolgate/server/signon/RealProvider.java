package dev.toolgate.server.signon;

import dev.toolgate.server.mcpclient.InstalledClients;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A certified OpenID Connect provider from npm, on a loopback port. */
public final class RealProvider implements AutoCloseable {
    public static final String CLIENT = "toolgate";
    public static final String SECRET = "a-secret-of-the-gate-alone";

    private final Process process;
    private final BufferedReader output;
    private final String issuer;

    /**
     * @param people their claims by subject, as JSON
     */
    public RealProvider(String people) throws IOException {
        Path folder = InstalledClients.npm("openid-provider");
        process = new ProcessBuilder(InstalledClients.node(), InstalledClients.script(folder, "provider.mjs"), people)
                .directory(folder.toFile())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        output = process.inputReader(StandardCharsets.UTF_8);
        issuer = line();
    }

    public String issuer() {
        return issuer;
    }

    /** Registers the gate, after which people can log in. */
    public void register(String gate) throws IOException {
        process.getOutputStream().write((gate + "\n").getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().flush();
        if (!line().equals("ready")) {
            throw new IOException("The provider did not register the gate as its client.");
        }
    }

    private String line() {
        try {
            String line = output.readLine();
            if (line == null) {
                throw new IOException("The provider has ended.");
            }
            return line;
        } catch (IOException ended) {
            throw new UncheckedIOException(ended);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
