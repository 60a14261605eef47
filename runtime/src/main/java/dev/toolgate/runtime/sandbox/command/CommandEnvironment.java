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
 * Selects the environment variables of commands: a short allow list, and those an operator adds. All other variables of
 * the server are omitted, so secrets need not be recognised by name.
 */
public final class CommandEnvironment {
    private static final Pattern INHERITED = Pattern.compile("PATH|LANG|LC_[A-Z_]+|TZ|HOME|TERM");

    /** Windows programs do not start without these; names are case-insensitive there. */
    private static final Pattern INHERITED_ON_WINDOWS = Pattern.compile(
            "PATH|PATHEXT|LANG|LC_[A-Z_]+|TZ|HOME|TERM|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|TEMP|TMP|USERPROFILE",
            Pattern.CASE_INSENSITIVE);

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern SERVER_VARIABLES =
            Pattern.compile("OTEL_.*|TOOLGATE_.*|DATABASE_URL|DATABASE_URL_FILE", Pattern.CASE_INSENSITIVE);
    private static final Pattern SET_BY_TOOLGATE = Pattern.compile("GIT_CONFIG_.*", Pattern.CASE_INSENSITIVE);

    private static final List<String> SECRET_WORDS =
            List.of("key", "token", "secret", "password", "passwd", "passphrase", "credential");

    // DB_PASS, SSHPASS, MYSQL_PWD; but not PWD, and not BYPASS_CACHE.
    private static final List<String> SECRET_SUFFIXES = List.of("pass", "_pwd");

    /** Keeps git from using a folder that merely looks like a bare repository, whose settings could start programs. */
    private static final Map<String, String> GIT_VARIABLES = Map.of(
            "GIT_CONFIG_COUNT", "1",
            "GIT_CONFIG_KEY_0", "safe.bareRepository",
            "GIT_CONFIG_VALUE_0", "explicit");

    private static final Redactor REDACTOR = Redactor.standard();

    private final Set<String> added;

    private CommandEnvironment(Set<String> added) {
        this.added = Set.copyOf(added);
    }

    /** Only the allow list. */
    public static CommandEnvironment standard() {
        return new CommandEnvironment(Set.of());
    }

    /**
     * The allow list and the variables an operator adds.
     *
     * @param added names of further variables to pass on
     * @param secretNames names of the server's secrets; none of them may be passed on
     * @throws IllegalArgumentException if a name may not be passed on; the message does not contain the value
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
                        "'" + name + "' is not a valid variable name; use letters, digits and _");
            }
            if (SET_BY_TOOLGATE.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "'" + name + "' is set by Toolgate for every command; remove it from the list");
            }
            if (secrets.contains(name) || isServerVariable(name) || looksSecret(name)) {
                throw new IllegalArgumentException("'" + name
                        + "' may hold a secret of the server that commands of every tenant would see; remove it"
                        + " from the list and pass the value to commands in another way");
            }
        }
        return new CommandEnvironment(new TreeSet<>(added));
    }

    /** The variables of this process that may be passed on, and those set for every command. */
    public Map<String, String> variables() {
        boolean windows = System.getProperty("os.name", "").startsWith("Windows");
        return from(System.getenv(), windows ? INHERITED_ON_WINDOWS : INHERITED);
    }

    /** The same for the variables of another process. */
    public Map<String, String> from(Map<String, String> server) {
        return from(server, INHERITED);
    }

    private Map<String, String> from(Map<String, String> server, Pattern inherited) {
        Map<String, String> passed = new TreeMap<>(GIT_VARIABLES);
        server.forEach((name, value) -> {
            if (inherited.matcher(name).matches() || (added.contains(name) && isHarmless(value))) {
                passed.put(name, value);
            }
        });
        return Map.copyOf(passed);
    }

    /** Refuses the server's own variables. */
    static Map<String, String> requireNoServerVariables(Map<String, String> variables) {
        Stream<String> names = variables.keySet().stream();
        names.filter(CommandEnvironment::isServerVariable).findFirst().ifPresent(name -> {
            throw new IllegalArgumentException("A command must not get the server's variable '" + name + "'");
        });
        return Map.copyOf(variables);
    }

    private static boolean isServerVariable(String name) {
        return SERVER_VARIABLES.matcher(name).matches();
    }

    private static boolean looksSecret(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return SECRET_WORDS.stream().anyMatch(lower::contains)
                || SECRET_SUFFIXES.stream().anyMatch(lower::endsWith);
    }

    // Catches values such as a URL with a password under an innocent name.
    private static boolean isHarmless(String value) {
        return REDACTOR.clean(value).equals(value);
    }
}
