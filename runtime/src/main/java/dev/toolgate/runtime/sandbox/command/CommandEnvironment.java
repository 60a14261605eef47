package dev.toolgate.runtime.sandbox.command;

import dev.toolgate.core.redact.Redactor;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Decides which environment variables a process that works for a call gets: a short list of harmless ones, and those an
 * operator adds. Everything else of the server's environment is absent, so no name of a secret has to be guessed.
 */
public final class CommandEnvironment {
    private static final Pattern INHERITED = Pattern.compile("PATH|LANG|LC_[A-Z_]+|TZ|HOME|TERM");

    /** Windows programs do not start without these; names have no case there. */
    private static final Pattern INHERITED_ON_WINDOWS = Pattern.compile(
            "PATH|PATHEXT|LANG|LC_[A-Z_]+|TZ|HOME|TERM|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|TEMP|TMP|USERPROFILE",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern SERVERS_OWN =
            Pattern.compile("OTEL_.*|TOOLGATE_.*|DATABASE_URL|DATABASE_URL_FILE", Pattern.CASE_INSENSITIVE);
    private static final Pattern SET_HERE = Pattern.compile("GIT_CONFIG_.*", Pattern.CASE_INSENSITIVE);

    private static final List<String> TELLING =
            List.of("key", "token", "secret", "password", "passwd", "passphrase", "credential");

    // DB_PASS, SSHPASS, MYSQL_PWD; but not PWD, and not BYPASS_CACHE.
    private static final List<String> TELLING_ENDS = List.of("pass", "_pwd");

    /** Git takes no folder for a repository that only looks like a bare one; its settings could start programs. */
    private static final Map<String, String> FOR_GIT = Map.of(
            "GIT_CONFIG_COUNT", "1",
            "GIT_CONFIG_KEY_0", "safe.bareRepository",
            "GIT_CONFIG_VALUE_0", "explicit");

    private static final Redactor REDACTOR = Redactor.standard();

    private final Set<String> added;

    private CommandEnvironment(Set<String> added) {
        this.added = Set.copyOf(added);
    }

    /** The short list alone. */
    public static CommandEnvironment standard() {
        return new CommandEnvironment(Set.of());
    }

    /**
     * The short list and what an operator adds.
     *
     * @param added names of variables that are passed on as well
     * @param secretNames names under which the server finds secrets; none of them is ever passed on
     * @throws IllegalArgumentException if a name may not be passed on, in one sentence without the variable's value
     */
    public static CommandEnvironment with(Collection<String> added, Collection<String> secretNames) {
        Set<String> secrets = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        secretNames.forEach(name -> {
            secrets.add(name);
            secrets.add(name + "_FILE");
        });
        for (String name : added) {
            if (!NAME.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "'" + name + "' is not the name of a variable; write letters, digits and _");
            }
            if (SET_HERE.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "'" + name + "' is set by Toolgate for every command; take it off the list");
            }
            if (secrets.contains(name) || isServersOwn(name) || isTelling(name)) {
                throw new IllegalArgumentException("'" + name
                        + "' holds or may hold a secret of the server, and every tenant's commands would see it; take it"
                        + " off the list and give the value to the commands that need it in another way");
            }
        }
        return new CommandEnvironment(new TreeSet<>(added));
    }

    /** The variables of this process that may be passed on, and what every command is given. */
    public Map<String, String> variables() {
        boolean windows = System.getProperty("os.name", "").startsWith("Windows");
        return from(System.getenv(), windows ? INHERITED_ON_WINDOWS : INHERITED);
    }

    /** The same for another process's variables. */
    public Map<String, String> from(Map<String, String> server) {
        return from(server, INHERITED);
    }

    private Map<String, String> from(Map<String, String> server, Pattern inherited) {
        Map<String, String> passed = new TreeMap<>(FOR_GIT);
        server.forEach((name, value) -> {
            if (inherited.matcher(name).matches() || (added.contains(name) && isHarmless(value))) {
                passed.put(name, value);
            }
        });
        return Map.copyOf(passed);
    }

    /** Refuses variables that are the server's own, whoever put them there. */
    static Map<String, String> requireNoneOfTheServers(Map<String, String> variables) {
        Stream<String> names = variables.keySet().stream();
        names.filter(CommandEnvironment::isServersOwn).findFirst().ifPresent(name -> {
            throw new IllegalArgumentException("A command must not get the server's variable '" + name + "'");
        });
        return Map.copyOf(variables);
    }

    private static boolean isServersOwn(String name) {
        return SERVERS_OWN.matcher(name).matches();
    }

    private static boolean isTelling(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return TELLING.stream().anyMatch(lower::contains)
                || TELLING_ENDS.stream().anyMatch(lower::endsWith);
    }

    // An address with a password in it, under a name that tells nothing.
    private static boolean isHarmless(String value) {
        return REDACTOR.clean(value).equals(value);
    }
}
