package dev.toolgate.tools.github;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.tool.ToolFailure;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A repository name with its owner, limited to URL-safe characters. */
record RepositoryName(String owner, String name) {
    private static final Pattern FULL = Pattern.compile("([A-Za-z0-9](?:[A-Za-z0-9_-]{0,99}))/([A-Za-z0-9._-]{1,100})");

    static RepositoryName parse(String field, String text) throws ToolFailure {
        Matcher full = FULL.matcher(text);
        if (!full.matches()) {
            throw new ToolFailure(
                    ErrorCode.INVALID_REQUEST,
                    "Field '" + field + "' must name an owner and a repository, for example octocat/hello-world");
        }
        checkName(field, full.group(2));
        return new RepositoryName(full.group(1), full.group(2));
    }

    /** Checks a repository name without owner. */
    static String checkName(String field, String name) throws ToolFailure {
        if (!name.matches("[A-Za-z0-9._-]{1,100}") || name.equals(".") || name.equals("..")) {
            throw new ToolFailure(
                    ErrorCode.INVALID_REQUEST,
                    "Field '" + field + "' must be a repository's name: letters, digits, '.', '_' and '-'");
        }
        return name;
    }

    @Override
    public String toString() {
        return owner + "/" + name;
    }
}
