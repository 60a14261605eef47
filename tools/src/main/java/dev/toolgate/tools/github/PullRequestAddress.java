package dev.toolgate.tools.github;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Which pull request an address names. Only the configured GitHub's addresses are taken, letter by letter. */
record PullRequestAddress(RepositoryName repository, int number) {
    private static final Pattern PATH =
            Pattern.compile("/([^/]+/[^/]+)/pull/([1-9][0-9]{0,8})(?:/|/files/?|/commits/?|/checks/?)?");

    static PullRequestAddress parse(String url, GitHubPlace place) throws ToolFailure {
        URI uri = read(url, place);
        // The whole authority is compared, so that neither a user name nor a port can lead elsewhere.
        if (!"https".equalsIgnoreCase(uri.getScheme())
                || uri.getRawAuthority() == null
                || !uri.getRawAuthority().equalsIgnoreCase(place.authority())) {
            throw invalid(place);
        }
        Matcher path = PATH.matcher(uri.getRawPath());
        if (!path.matches()) {
            throw invalid(place);
        }
        return new PullRequestAddress(RepositoryName.parse("pr_url", path.group(1)), Integer.parseInt(path.group(2)));
    }

    private static URI read(String url, GitHubPlace place) throws ToolFailure {
        try {
            return new URI(url);
        } catch (URISyntaxException malformed) {
            throw invalid(place);
        }
    }

    private static ToolFailure invalid(GitHubPlace place) {
        return new ToolFailure(
                ErrorCode.INVALID_REQUEST,
                "Field 'pr_url' must be the address of a pull request, for example https://" + place.authority()
                        + "/octocat/hello-world/pull/1");
    }
}
