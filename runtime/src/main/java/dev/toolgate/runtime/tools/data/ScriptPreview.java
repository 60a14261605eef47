package dev.toolgate.runtime.tools.data;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.output.VisibleText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The preview of a script for its approval. */
final class ScriptPreview {
    private ScriptPreview() {}

    /**
     * The preview text.
     *
     * @param writing the file it may write, or empty
     */
    static String text(String script, Path input, String writing, Bounds bounds) {
        List<String> domains = bounds.allowedDomains();
        Duration maxTimeout = Duration.ofSeconds(ScriptRunner.TIMEOUT_SECONDS);
        Duration limit =
                bounds.timeout() == null || bounds.timeout().compareTo(maxTimeout) > 0 ? maxTimeout : bounds.timeout();
        return "Run this Python script, which can read " + VisibleText.visible(input.toString())
                + (writing.isEmpty() ? " and write nothing" : " and write " + VisibleText.visible(writing))
                + ", for at most " + limit.toSeconds() + " seconds, "
                + (domains == null || domains.isEmpty()
                        ? "without network"
                        : "reaching only " + String.join(", ", domains))
                + ":\n" + VisibleText.indented(script);
    }
}
