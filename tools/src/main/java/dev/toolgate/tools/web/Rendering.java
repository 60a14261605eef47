package dev.toolgate.tools.web;

import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.runtime.sandbox.command.CommandRequest;
import dev.toolgate.runtime.sandbox.command.CommandSandbox;
import dev.toolgate.runtime.sandbox.command.RunningCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One run of the browser. */
final class Rendering {
    private static final Logger LOG = LoggerFactory.getLogger(Rendering.class);
    private static final int MAX_BYTES = 10 << 20;

    private Rendering() {}

    /** The printed HTML; empty if the browser failed or timed out. */
    static Optional<String> run(CommandSandbox sandbox, CommandRequest request, Duration limit)
            throws ToolFailure, InterruptedException {
        try (RunningCommand browser = sandbox.start(request)) {
            CompletableFuture<byte[]> page = reading(browser.stdout());
            CompletableFuture<byte[]> errors = reading(browser.stderr());
            OptionalInt code = browser.waitFor(limit);
            browser.terminate(Duration.ZERO);
            if (code.isEmpty() || code.getAsInt() != 0) {
                LOG.warn(
                        "A page could not be rendered: {} {}",
                        code.isEmpty() ? "time-out" : browser.endReason().orElse("exit code " + code.getAsInt()),
                        lastOf(text(errors)));
                return Optional.empty();
            }
            return Optional.of(text(page)).filter(html -> !html.isBlank());
        }
    }

    // A platform thread, because a virtual thread that reads a pipe pins its carrier.
    private static CompletableFuture<byte[]> reading(InputStream stream) {
        CompletableFuture<byte[]> read = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("browser-output").start(() -> {
            ByteArrayOutputStream kept = new ByteArrayOutputStream();
            byte[] buffer = new byte[64 * 1024];
            try {
                for (int count = stream.read(buffer); count >= 0; count = stream.read(buffer)) {
                    kept.write(buffer, 0, Math.min(count, MAX_BYTES - kept.size())); // the rest is read and discarded
                }
            } catch (IOException closed) {
                // the browser has ended
            }
            read.complete(kept.toByteArray());
        });
        return read;
    }

    private static String text(CompletableFuture<byte[]> bytes) throws InterruptedException {
        try {
            return new String(bytes.get(), StandardCharsets.UTF_8);
        } catch (ExecutionException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String lastOf(String text) {
        return text.length() <= 500 ? text : text.substring(text.length() - 500);
    }
}
