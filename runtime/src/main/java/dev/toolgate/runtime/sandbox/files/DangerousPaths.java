package dev.toolgate.runtime.sandbox.files;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Files in the workspace that no tool may access: keys, credentials, and files that make other programs execute
 * something. A pattern is a name, or names separated by {@code /}, where {@code *} matches any characters and the name
 * {@code **} any names. It matches anywhere in a path, and everything beneath. Case is ignored.
 */
public final class DangerousPaths {
    /** The default list for reading and writing, in the syntax of the environment variable. */
    public static final String STANDARD = ".env*,.git/config,.git/config.worktree,.git/modules/**/config,"
            + ".git/worktrees/*/config.worktree,*credential*,*secret*,id_rsa*,id_dsa*,id_ecdsa*,id_ed25519*,*.pem,"
            + "*.key,*.p12,*.pfx,*.jks,*.keystore,.ssh,.gnupg,.aws,.azure,.kube,.docker,.toolgate,.netrc,_netrc,"
            + ".npmrc,.pypirc,.pgpass,.my.cnf";

    /** Refused for writing only: git runs its hooks and applies its settings. */
    private static final List<String> STANDARD_FOR_WRITING = List.of(".git");

    private final List<Rule> always;
    private final List<Rule> forWriting;

    public DangerousPaths(List<String> always, List<String> forWriting) {
        this.always = always.stream().map(Rule::of).toList();
        this.forWriting = forWriting.stream().map(Rule::of).toList();
    }

    /**
     * An operator's list for reading and writing; the list for writing only is kept.
     *
     * @throws IllegalArgumentException if a pattern is empty or begins or ends with a slash
     */
    public static DangerousPaths of(List<String> patterns) {
        for (String pattern : patterns) {
            if (pattern.isBlank() || pattern.startsWith("/") || pattern.endsWith("/") || pattern.contains("//")) {
                throw new IllegalArgumentException("'" + pattern
                        + "' is not a valid pattern; write a name such as *.key, or names separated by /");
            }
        }
        return new DangerousPaths(patterns, STANDARD_FOR_WRITING);
    }

    /** The standard list. */
    public static DangerousPaths standard() {
        return of(List.of(STANDARD.split(",")));
    }

    /**
     * Whether an entry of a folder that is not dangerous itself is dangerous for reading. Faster than {@link #match}
     * when a whole tree is walked from the top.
     */
    public boolean matchesEntry(Path relative) {
        String last = plain(String.valueOf(relative.getFileName()));
        for (Rule rule : always) {
            if (Rule.fits(rule.names().getLast(), last)
                    && (rule.names().size() == 1 || match(relative, Access.READ).isPresent())) {
                return true;
            }
        }
        return false;
    }

    /** The pattern that matches a path, relative to its root; empty if none does. */
    public Optional<String> match(Path relative, Access access) {
        List<String> names = new ArrayList<>();
        for (Path name : relative) {
            names.add(plain(name.toString()));
        }
        Optional<String> found = first(always, names);
        return switch (access) {
            case READ -> found;
            case WRITE -> found.or(() -> first(forWriting, names));
        };
    }

    private static Optional<String> first(List<Rule> rules, List<String> names) {
        return rules.stream()
                .filter(rule -> rule.matches(names))
                .map(Rule::text)
                .findFirst();
    }

    // Some file systems ignore dots and spaces at the end of a name.
    private static String plain(String name) {
        int end = name.length();
        while (end > 1 && (name.charAt(end - 1) == '.' || name.charAt(end - 1) == ' ')) {
            end--;
        }
        return name.substring(0, end).toLowerCase(Locale.ROOT);
    }

    private record Rule(String text, List<String> names) {
        static Rule of(String text) {
            return new Rule(text, List.of(text.toLowerCase(Locale.ROOT).split("/")));
        }

        boolean matches(List<String> path) {
            return matchesAnywhere(names, path);
        }

        private static boolean matchesAnywhere(List<String> names, List<String> path) {
            return IntStream.rangeClosed(0, path.size())
                    .anyMatch(start -> matchesAtStart(names, path.subList(start, path.size())));
        }

        private static boolean matchesAtStart(List<String> names, List<String> path) {
            if (names.isEmpty()) {
                return true;
            }
            List<String> rest = names.subList(1, names.size());
            if (names.getFirst().equals("**")) {
                return matchesAnywhere(rest, path);
            }
            return !path.isEmpty()
                    && fits(names.getFirst(), path.getFirst())
                    && matchesAtStart(rest, path.subList(1, path.size()));
        }

        // Parts between stars must follow in order; the parts before the first and after the last star are anchored.
        private static boolean fits(String pattern, String name) {
            int star = pattern.indexOf('*');
            if (star < 0) {
                return name.equals(pattern);
            }
            if (!name.startsWith(pattern.substring(0, star))) {
                return false;
            }
            int at = star;
            for (int next = pattern.indexOf('*', star + 1); next >= 0; next = pattern.indexOf('*', star + 1)) {
                String part = pattern.substring(star + 1, next);
                int found = name.indexOf(part, at);
                if (found < 0) {
                    return false;
                }
                at = found + part.length();
                star = next;
            }
            String end = pattern.substring(star + 1);
            return name.length() - at >= end.length() && name.endsWith(end);
        }
    }
}
