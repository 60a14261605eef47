package dev.toolgate.runtime.tools.data;

import dev.toolgate.core.call.Bounds;
import dev.toolgate.core.output.VisibleText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** A script as a person who is asked to approve it sees it. */
final class ScriptPreview {
    private ScriptPreview() {}

    /**
     * The whole of it.
     *
     * @param writing what it may write, if anything
     */
    static String text(String script, Path input, String writing, Bounds bounds) {
        List<String> domains = bounds.allowedDomains();
        Duration most = Duration.ofSeconds(ScriptRunner.SECONDS);
        Duration limit = bounds.timeout() == null || bounds.timeout().compareTo(most) > 0 ? most : bounds.timeout();
        return "Run this Python script, which can read " + VisibleText.visible(input.toString())
                + (writing.isEmpty() ? " and write nothing" : " and write " + VisibleText.visible(writing))
                + ", for at most " + limit.toSeconds() + " seconds, "
                + (domains == null || domains.isEmpty()
                        ? "without network"
                        : "reaching only " + String.join(", ", domains))
                + ":\n" + VisibleText.indented(script);
    }
}
