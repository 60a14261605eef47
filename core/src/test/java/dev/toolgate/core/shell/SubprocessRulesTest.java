package dev.toolgate.core.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Accepted uses of listed programs under an allow list. */
class SubprocessRulesTest {
    private static final List<String> ALLOWED = List.of(
            ("ls cat echo cd git sed awk gawk tar sort find xargs split zip rg fd curl install busybox env python3 perl"
                            + " make vim less ssh rsync npm wget gcc-12 lua5.4 man patch m4 sqlite3 openssl git-upload-pack")
                    .split(" "));
    private static final CommandRules RULES = new CommandRules(ALLOWED, List.of());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git -c alias.x='!pwn' x",
                "git -calias.x=!pwn x",
                "git --config-env=alias.x=Y x",
                "git --exec-path=/tmp status",
                "git --git-dir=planted status",
                "git --git-dir planted status",
                "git --work-tree=. --git-dir=planted log",
                "git --bare status",
                "git x",
                "git $x",
                "git bisect run pwn",
                "git submodule foreach pwn",
                "git rebase -x pwn HEAD~1",
                "git rebase --continue",
                "git difftool -x pwn",
                "git mergetool",
                "git filter-branch --tree-filter pwn",
                "git clone --upload-pack pwn . x",
                "git clone -u pwn . x",
                "git clone -c core.fsmonitor=pwn . x",
                "git init --template=planted",
                "git config core.fsmonitor pwn",
                "git config --global core.pager pwn",
                "git config --add --get x",
                "git help -w status",
                "git fetch --upload-pack=pwn origin",
                "git fetch --upload-pac pwn origin",
                "git fetch 'ext::sh -c pwn'",
                "git pull --upload-pack pwn",
                "git push --receive-pack=pwn",
                "git push --exec=pwn",
                "git push --exe=pwn",
                "git grep -Opwn x",
                "git grep -nOpwn x",
                "git grep --open-files-in-pager=pwn x",
                "git diff --ext-diff",
                "git log --textconv",
                "git archive --exec=pwn --remote=x HEAD",
                "git log $x",
                "git log \"$x\"",
                "ls | xargs git log",
                "x='. -c core.fsmonitor=pwn'; git -C $x status",
                "git -C ./$x status",
                "git -C {.,-c,core.fsmonitor=pwn} status",
                "git -C * status",
                "git fetch ./$x",
                "git fetch .`echo ' --upload-pack=pwn'`",
                "git fetch ./\"$@\"",
                "git fetch {--upload-pack=pwn,.}",
                "git fetch .{,}$x",
                "git fetch -- 'ext::sh -c pwn'",
                "sed p ./$x",
                "awk 1 -- && awk $x",
                "tar cf x.tar ./$x",
                "sort ./$x",
                "sort {--compress-program=pwn,a}",
                "sort a{,--compress-program=pwn}$x",
                "git credential fill",
                "git send-email --sendmail-cmd=pwn",
                "git-upload-pack x",
                "busybox awk 'BEGIN{system(\"pwn\")}'",
                "env git -c alias.x=!pwn x",
                "sed '1e pwn' a",
                "sed 's/a/pwn/e' a",
                "sed 's/a/pwn/ge' a",
                "sed -n '/x/e' a",
                "sed -e p -e '1e pwn' a",
                "sed --expression='1e pwn' a",
                "sed -f script a",
                "sed -fscript a",
                "sed -nf script a",
                "sed -ne '1e pwn' a",
                "sed 's/a/b/;e pwn' a",
                "sed 'p;e' a",
                "sed 's/a/b/w out' a",
                "sed \"$x\" a",
                "sed p \"$x\"",
                "awk 'BEGIN{system(\"pwn\")}'",
                "awk '{print | \"pwn\"}' a",
                "awk 'BEGIN{\"pwn\" | getline}'",
                "gawk 'BEGIN{f=\"sys\" \"tem\"; @f(\"pwn\")}'",
                "awk -f script a",
                "awk -v x=1 'BEGIN{system(x)}'",
                "gawk -i inplace 1 a",
                "gawk --load=x 1",
                "gawk -E script",
                "awk \"$x\"",
                "tar cf x --to-command=pwn .",
                "tar --to-com=pwn -xf x",
                "tar -I pwn -cf x .",
                "tar cIf pwn x .",
                "tar -xIpwn -f x",
                "tar --use-compress-program=pwn -cf x .",
                "tar --use-compress-program pwn -cf x .",
                "tar -cf x --checkpoint=1 --checkpoint-action=exec=pwn .",
                "tar -F pwn -cf x .",
                "tar --info-script=pwn -cf x .",
                "tar --rsh-command=pwn -cf h:x .",
                "tar $x",
                "tar cf x $y",
                "sort --compress-program=pwn a",
                "sort --comp=pwn a",
                "sort $x",
                "ls | xargs sort",
                "split --filter=pwn a",
                "zip -T -TT pwn x a",
                "zip x a -T --unzip-command pwn",
                "rg --pre pwn x",
                "fd -x pwn",
                "fd -Hx pwn",
                "fd --exec-batch pwn",
                "curl -K file",
                "install -s --strip-program=pwn a b",
                "python3 -c pwn",
                "python3 script.py",
                "perl -e pwn",
                "make",
                "make -f planted",
                "vim -c '!pwn'",
                "less a",
                "man ls",
                "ssh -o ProxyCommand=pwn h",
                "rsync -e pwn a b",
                "npm test",
                "wget --use-askpass=pwn x",
                "gcc-12 -wrapper pwn a.c",
                "lua5.4 -e pwn",
                "patch -p1",
                "m4 a",
                "sqlite3 x '.shell pwn'",
                "openssl req -engine ./pwn.so",
                "env make",
                "find . -exec make {} ;",
                "ls | xargs make"
            })
    void a_program_that_would_start_another_is_refused(String line) {
        assertThat(RULES.objection(line)).isPresent();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "git status",
                "git status --short -- src",
                "git -C src status",
                "git -C \"$x\" status",
                "git log \"./$x\"",
                "git log -- $x",
                "git add ./*.java",
                "git add src/{a,b}.java",
                "sort ./*.txt",
                "git --no-pager log --oneline -n 5",
                "git diff HEAD~1 -- \"$x\"",
                "git add .",
                "git commit -m 'a message'",
                "git log --format=%H",
                "git config --get user.name",
                "git config --list",
                "git push -u origin main",
                "git show HEAD:src/a",
                "git grep -n x",
                "sed 's/a/b/g' a",
                "sed -n '1,5p' a",
                "sed -n '/start/,/end/p' a",
                "sed -e 's/a/b/' -e 's|c|d|g' a",
                "sed -i 's/a/b/' a",
                "sed -E 's#(x+)#<\\1>#' a",
                "sed '$d' a",
                "sed 's/exec/e/' a",
                "sed --sandbox '1!G;h;$!d' a",
                "awk '{print $1}' a",
                "awk -F: '$3 > 5 || /x/ {n += $2} END {print n}' a",
                "awk -v x=1 '$1 == x' a",
                "tar czf x.tgz src",
                "tar -xf x.tgz",
                "sort -k2 -n a",
                "sort a | head",
                "sort -- \"$x\"",
                "find . -name '*.java'",
                "ls | xargs cat",
                "zip -r x.zip src",
                "rg -n x src",
                "curl -sS https://example.org/"
            })
    void plain_uses_are_accepted(String line) {
        CommandRules rules = new CommandRules(
                Stream.concat(ALLOWED.stream(), Stream.of("head")).toList(), List.of());

        assertThat(rules.objection(line)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "make *, make test, true",
        "make *, env make, false",
        "make, make test, false",
        "make test *, make test, true",
        "make test *, make other, false",
        "python3 *, python3 -c pass, true",
        "python3, python3 -c pass, false",
        "git *, git -c alias.x='!pwn' x, true",
        "git bisect *, git bisect run x, true",
        "git bisect, git bisect run x, false",
        "git status, git status, true",
        "git status, git log, false",
        "git status, git -c core.fsmonitor=x status, false",
        "git status, git -C x status, false",
        "*, ls, false",
        "' * ', ls, false",
        "** *, ls, false",
    })
    void a_star_allows_a_program_with_whatever_it_starts(String entry, String line, boolean allowed) {
        assertThat(new CommandRules(List.of(entry), List.of()).objection(line).isEmpty())
                .isEqualTo(allowed);
    }

    @Test
    void reports_how_to_allow_an_interpreter() {
        assertThat(new CommandRules(List.of("make"), List.of()).objection("make"))
                .get()
                .asString()
                .contains("'make' runs whatever it is given; list it as 'make *'");
    }

    @Test
    void without_an_allow_list_programs_are_not_checked() {
        assertThat(new CommandRules(null, List.of("rm")).objection("python3 -c pass"))
                .isEmpty();
    }

    @Test
    void long_scripts_are_checked_quickly() {
        String script = "s/a/b/;".repeat(250) + "e";
        assertThat(RULES.objection("sed '" + script + "' a")).isPresent();
        assertThat(RULES.objection("sed '" + "\\\\".repeat(900) + "' a")).isPresent();
        assertThat(RULES.objection("awk '" + "x".repeat(100_000) + "' a")).isEmpty();
    }
}
