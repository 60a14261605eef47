package dev.toolgate.runtime.tools.shell;

import dev.toolgate.core.call.Bounds;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The variables of a command that is held to some commands: names are looked up in the system's own
 * folders only, and nothing is inherited that makes a shell, the loader or git run more than it was told.
 */
final class LimitedEnvironment {
    private static final String SYSTEM_FOLDERS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    private static final Pattern MEDDLING = Pattern.compile(
            "PATH|ENV|IFS|CDPATH|GLOBIGNORE|PS[0-9]|PROMPT_COMMAND|SHELLOPTS|BASH.*|LD_.*|DYLD_.*|GCONV_PATH");

    private LimitedEnvironment() {}

    /** What is left of these variables within the limits of a call; all of them if it has no limit on commands. */
    static Map<String, String> of(Map<String, String> environment, Bounds bounds, Path workspace) {
        if (!bounds.limitsCommands()) {
            return environment;
        }
        Map<String, String> limited = new TreeMap<>(environment);
        limited.keySet().removeIf(name -> MEDDLING.matcher(name).matches());
        limited.put("PATH", SYSTEM_FOLDERS);
        if (bounds.allowedCommands() != null) {
            limited.putAll(git(workspace));
        }
        return limited;
    }

    /**
     * A caller can write settings that start programs into a home folder and into any repository but the workspace's
     * own, which is protected. So git is told to use that one and looks for no other, and it asks no pager or editor.
     */
    private static Map<String, String> git(Path workspace) {
        Path repository = workspace.resolve(".git");
        boolean own = Files.isDirectory(repository, LinkOption.NOFOLLOW_LINKS);
        return Map.of(
                "GIT_DIR", own ? repository.toString() : "/dev/null",
                "GIT_WORK_TREE", workspace.toString(),
                "GIT_CONFIG_GLOBAL", "/dev/null",
                "GIT_PAGER", "cat",
                "GIT_EDITOR", "false",
                "GIT_SEQUENCE_EDITOR", "false",
                "GIT_TERMINAL_PROMPT", "0");
    }
}
