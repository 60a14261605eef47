package dev.toolgate.runtime.tools.shell;

import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The variables of a command that is held to some commands: names are looked up in the system's own
 * folders only, and nothing is inherited that makes a shell or the loader run more than it was told.
 */
final class LimitedEnvironment {
    private static final String SYSTEM_FOLDERS = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
    private static final Pattern MEDDLING = Pattern.compile(
            "PATH|ENV|IFS|CDPATH|GLOBIGNORE|PS[0-9]|PROMPT_COMMAND|SHELLOPTS|BASH.*|LD_.*|DYLD_.*|GCONV_PATH");

    private LimitedEnvironment() {}

    static Map<String, String> of(Map<String, String> environment) {
        Map<String, String> limited = new TreeMap<>(environment);
        limited.keySet().removeIf(name -> MEDDLING.matcher(name).matches());
        limited.put("PATH", SYSTEM_FOLDERS);
        return limited;
    }
}
