package dev.toolgate.tools.build;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/** A configured build. */
public sealed interface BuildTarget {
    /** The URL of the build service. */
    URI baseUrl();

    /** The name of the secret that holds the token. */
    String tokenName();

    /** The parameters a caller may set. */
    List<String> parameters();

    /** How often to poll its state. */
    Duration pollInterval();

    /**
     * A workflow of GitHub Actions.
     *
     * @param refs the branches and tags that may be built, the default first
     */
    record GitHubActions(
            URI baseUrl,
            String repository,
            String workflow,
            List<String> refs,
            String tokenName,
            List<String> parameters,
            Duration pollInterval)
            implements BuildTarget {}

    /** A Jenkins job; its name includes folders. */
    record Jenkins(
            URI baseUrl, String job, String user, String tokenName, List<String> parameters, Duration pollInterval)
            implements BuildTarget {}
}
