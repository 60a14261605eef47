package dev.toolgate.tools.build;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/** A build somebody may start. */
public sealed interface BuildTarget {
    /** Where it runs. */
    URI baseUrl();

    /** The name of the secret that is the token. */
    String tokenName();

    /** The parameters a caller may set. */
    List<String> parameters();

    /** How often to look how far it is. */
    Duration pollInterval();

    /**
     * A workflow of GitHub Actions.
     *
     * @param refs the branches and tags that may be built, the usual one first
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

    /** A job of Jenkins; folders are parts of its name. */
    record Jenkins(
            URI baseUrl, String job, String user, String tokenName, List<String> parameters, Duration pollInterval)
            implements BuildTarget {}
}
