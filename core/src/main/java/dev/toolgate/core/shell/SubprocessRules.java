package dev.toolgate.core.shell;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Programs that can start others besides their own work, and which uses are accepted where a policy lists allowed
 * commands. Interpreters, build tools, editors and the like run whatever they are given and need an entry that says so
 * ({@code make *}). For the others, options that start a program are refused, and so is whatever cannot be parsed.
 */
final class SubprocessRules {

    /** These run any program named in their input, files or configuration. */
    private static final Set<String> INTERPRETERS = words("""
            python pypy ipython perl ruby irb node nodejs deno bun php lua luajit tclsh wish Rscript R julia java jshell
            javac groovy scala kotlin kotlinc clojure elixir iex erl escript ghc runghc ocaml sbcl guile racket octave
            gnuplot pwsh dotnet mono wine go cargo rustc swift zig nim crystal dart gcc g++ cc c++ cpp clang clang++ tcc
            ld ldd as make gmake cmake ctest ninja meson scons bazel ant mvn mvnw gradle gradlew sbt lein rake npm npx
            yarn pnpm corepack pip pipx pipenv poetry uv uvx conda virtualenv tox nox pytest nosetests gem bundle
            bundler composer phpunit mocha jest vitest tsc tsx ts-node nodemon concurrently bats apt apt-get aptitude
            dpkg rpm yum dnf zypper pacman apk snap flatpak brew nix docker podman nerdctl kubectl helm terraform ansible
            ansible-playbook vagrant systemctl service initctl logrotate vi vim view vimdiff rvim rview ex nvim emacs
            emacsclient nano pico joe mcedit ed red editor sensible-editor pager sensible-pager less more most man info
            xdg-open sensible-browser www-browser run-mailcap see edit mail mailx mutt sendmail ssh scp sftp slogin rsh
            rlogin ssh-keygen ssh-add ssh-copy-id sshpass rsync rclone telnet ftp lftp nc ncat netcat socat nmap tcpdump
            tshark wget aria2c sqlite3 psql mysql mariadb mongo mongosh redis-cli m4 dc bc gpg gpg2 openssl patch ctags
            pandoc convert magick mogrify gs tex latex pdflatex xelatex lualatex bat batcat delta ack ack-grep fzf
            tig lazygit gh hub glab svn hg bzr cvs fossil p4 logsave chronic ifne vipe pee mispipe ts timelimit
            softlimit envdir envuidgid daemonize cgexec aa-exec runcon eatmydata hyperfine direnv dotenv ip busctl
            dbus-send gdbus xterm konsole gnome-terminal rxvt mc ranger nnn
            mount umount insmod modprobe kmod update-alternatives dpkg-reconfigure debconf
            """);

    /** Python3.11, gcc-12, lua5.4. */
    private static final Pattern VERSION = Pattern.compile("[-.]?\\d[-.\\d]*$");

    /**
     * Options that start or load a program.
     *
     * @param longs names without dashes; abbreviations count as well
     * @param letters short options, also when bundled
     */
    private record Refused(Set<String> longs, String letters) {}

    private static final Map<String, Refused> OPTIONS = Map.ofEntries(
            Map.entry("sort", new Refused(Set.of("compress-program"), "")),
            Map.entry("split", new Refused(Set.of("filter"), "")),
            Map.entry("install", new Refused(Set.of("strip-program"), "")),
            Map.entry("diff3", new Refused(Set.of("diff-program"), "")),
            Map.entry("sdiff", new Refused(Set.of("diff-program", "output"), "o")),
            Map.entry("cpio", new Refused(Set.of("rsh-command"), "")),
            Map.entry("zip", new Refused(Set.of("unzip-command", "TT", "test"), "T")),
            Map.entry("fd", new Refused(Set.of("exec", "exec-batch"), "xX")),
            Map.entry("fdfind", new Refused(Set.of("exec", "exec-batch"), "xX")),
            Map.entry("rg", new Refused(Set.of("pre", "hostname-bin", "search-zip"), "z")),
            Map.entry("ag", new Refused(Set.of("pager"), "")),
            Map.entry("curl", new Refused(Set.of("config", "engine"), "K")),
            Map.entry("nm", new Refused(Set.of("plugin"), "")),
            Map.entry("ar", new Refused(Set.of("plugin"), "")),
            Map.entry("ranlib", new Refused(Set.of("plugin"), "")),
            Map.entry("strip", new Refused(Set.of("plugin"), "")),
            Map.entry("objdump", new Refused(Set.of("plugin"), "")),
            Map.entry("size", new Refused(Set.of("plugin"), "")),
            Map.entry(
                    "tar",
                    new Refused(
                            Set.of(
                                    "to-command",
                                    "use-compress-program",
                                    "checkpoint-action",
                                    "rsh-command",
                                    "rmt-command",
                                    "info-script",
                                    "new-volume-script"),
                            "IF")));

    private static final Set<String> AWKS = Set.of("awk", "gawk", "mawk", "nawk", "original-awk", "bwk");

    private SubprocessRules() {}

    /**
     * Refuses a command that may start an unlisted program.
     *
     * @param words the program and its arguments
     */
    static void check(List<Word> words) throws UncheckableCommand {
        String name = Launchers.base(words.getFirst().text());
        if (isInterpreter(name)) {
            throw new UncheckableCommand("'" + name + "' runs whatever it is given; list it as '" + name
                    + " *' to allow it with every program it starts");
        }
        List<Word> arguments = words.subList(1, words.size());
        if (name.equals("git")) {
            GitUse.check(arguments);
        } else if (name.equals("sed") || name.equals("gsed")) {
            SedUse.check(arguments);
        } else if (AWKS.contains(name)) {
            AwkUse.check(arguments);
        } else if (OPTIONS.containsKey(name)) {
            options(name, arguments, OPTIONS.get(name));
        }
    }

    static boolean isInterpreter(String name) {
        return INTERPRETERS.contains(name)
                || INTERPRETERS.contains(VERSION.matcher(name).replaceFirst(""))
                || name.startsWith("git-")
                || name.startsWith("systemd-")
                || name.startsWith("qemu-");
    }

    private static void options(String name, List<Word> arguments, Refused refused) throws UncheckableCommand {
        if (name.equals("tar") && !arguments.isEmpty()) {
            bundle(name, arguments.getFirst().literal("the first argument of 'tar'"), refused);
        }
        for (Word argument : arguments) {
            if (argument.is("--")) {
                return;
            }
            String option = optionOrEmpty(name, argument);
            if (option.startsWith("--")) {
                refuseLong(name, option, refused.longs());
            } else if (option.startsWith("-")) {
                bundle(name, option, refused);
            }
        }
    }

    // Some programs, such as zip, accept -name as well as --name.
    private static void bundle(String name, String option, Refused refused) throws UncheckableCommand {
        if (option.chars().anyMatch(letter -> refused.letters().indexOf(letter) >= 0)
                || refused.longs().contains(option.replaceFirst("^-", "").replaceFirst("=.*", ""))) {
            throw refusal(name, option);
        }
    }

    /** The known part of an argument that may be an option; empty if it certainly is not one. */
    static String optionOrEmpty(String program, Word argument) throws UncheckableCommand {
        if (argument.isLiteral()) {
            return argument.text().startsWith("-") ? argument.text() : "";
        }
        if (argument.form() == Word.Form.SPLIT) {
            throw new UncheckableCommand("an argument of '" + program
                    + "' may become several, and one of them an option; put it in double quotes, with ./ before it");
        }
        if (!argument.prefix().isEmpty() && !argument.prefix().startsWith("-")) {
            return "";
        }
        throw new UncheckableCommand("an argument of '" + program
                + "' is only known when the shell runs and could be an option; put -- or ./ before it");
    }

    /** Refuses a long option that equals or abbreviates one of these. */
    static void refuseLong(String program, String option, Set<String> longs) throws UncheckableCommand {
        String name = option.substring(2).replaceFirst("(?s)=.*", "");
        if (!name.isEmpty() && longs.stream().anyMatch(refused -> refused.startsWith(name))) {
            throw refusal(program, option);
        }
    }

    static UncheckableCommand refusal(String program, String option) {
        return new UncheckableCommand(
                "'" + option + "' of '" + program + "' can start other programs; leave it out, or have '" + program
                        + " *' listed to allow it with every program it starts");
    }

    private static Set<String> words(String text) {
        return Arrays.stream(text.strip().split("\\s+")).collect(Collectors.toUnmodifiableSet());
    }
}
