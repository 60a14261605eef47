package dev.toolgate.tools.github;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A parsed pull request URL. Only URLs of the configured GitHub instance are accepted. */
record PullRequestAddress(RepositoryName repository, int number) {
    private static final Pattern PATH =
            Pattern.compile("/([^/]+/[^/]+)/pull/([1-9][0-9]{0,8})(?:/|/files/?|/commits/?|/checks/?)?");

    static PullRequestAddress parse(String url, GitHubInstance instance) throws ToolFailure {
        URI uri = read(url, instance);
        // Compares the whole authority, so that neither user info nor a port can point to another host.
        if (!"https".equalsIgnoreCase(uri.getScheme())
                || uri.getRawAuthority() == null
                || !uri.getRawAuthority().equalsIgnoreCase(instance.authority())) {
            throw invalid(instance);
        }
        Matcher path = PATH.matcher(uri.getRawPath());
        if (!path.matches()) {
            throw invalid(instance);
        }
        return new PullRequestAddress(RepositoryName.parse("pr_url", path.group(1)), Integer.parseInt(path.group(2)));
    }

    private static URI read(String url, GitHubInstance instance) throws ToolFailure {
        try {
            return new URI(url);
        } catch (URISyntaxException malformed) {
            throw invalid(instance);
        }
    }

    private static ToolFailure invalid(GitHubInstance instance) {
        return new ToolFailure(
                ErrorCode.INVALID_REQUEST,
                "Field 'pr_url' must be the address of a pull request, for example https://" + instance.authority()
                        + "/octocat/hello-world/pull/1");
    }
}
