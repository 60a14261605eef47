package dev.toolgate.core.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Random;
import java.util.regex.PatternSyntaxException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PathGlobTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "*.txt a.txt true",
                "*.txt a/b.txt false",
                "**.txt a/b.txt true",
                "**/.git .git true",
                "**/.git a/b/.git true",
                "**/.git a.git false",
                "**/.git/** .git true",
                "**/.git/** .git/config true",
                "**/.git/** a/.git true",
                "**/.git/** a/.git/hooks/x true",
                "**/.git/** a/.github/x false",
                "a/**/b/**/c a/b/c true",
                "a/**/b/**/c a/b/x/c true",
                "a/**/b/**/c a/x/b/c true",
                "a/**/b/**/c a/x/y/b/z/c true",
                "a/**/b/**/c a/c false",
                "{**/.git,**/keys} .git true",
                "{**/.git,**/keys} x/keys true",
                "{a/**,b} a true",
                "{a/**,b} a/x/y true",
                "{a/**,b} b/x false",
                "src/{main,test}/** src/test/x true",
                "src/{main,test}/** src/other false",
                "{a,{b,c}} c true",
                "**/build/ x/build true",
                ".//a/*.txt a/b.txt true",
                "/srv/** /srv true",
                "/srv/** /srv/a true",
                "/** / true",
                "/**/x /x true",
                "a? ab true",
                "a? a/ false",
                "[a-c]x bx true",
                "[!a-c]x bx false",
                "[!a-c]x dx true",
                "[!a]b /b false",
                "[]a]x ]x true",
                "[a-]x -x true",
                "\\*x *x true",
                "\\*x ax false",
                "a,** a,b true",
                "a} a} true"
            })
    void matches_as_documented(String pattern, String path, boolean matches) {
        assertThat(PathGlob.parse(pattern).matches(path)).isEqualTo(matches);
    }

    @ParameterizedTest
    @ValueSource(strings = {"[a", "[]", "[!", "a[/]b", "{a", "{a,", "[b-a]", "a\\"})
    void an_incomplete_pattern_is_rejected(String pattern) {
        assertThatThrownBy(() -> PathGlob.parse(pattern)).isInstanceOf(PatternSyntaxException.class);
    }

    @Test
    void deep_nesting_is_rejected() {
        assertThatThrownBy(() -> PathGlob.parse("{".repeat(10_000))).isInstanceOf(PatternSyntaxException.class);
    }

    /** Apart from two stars, which mean more here. */
    @Test
    void agrees_with_the_globs_of_java() {
        Random random = new Random(7);
        for (int round = 0; round < 20_000; round++) {
            String pattern = random(
                            random, new String[] {"a", "b", ".", "/", "*", "?", "[ab]", "[!a]", "{a,b/}", "\\*"})
                    .replaceAll("\\*{2,}", "*")
                    .replaceAll("/{2,}", "/")
                    .replaceAll("^(\\./)+|/$", "");
            String path = random(random, new String[] {"a", "b", ".", "/", "*", "ab"})
                    .replaceAll("/{2,}", "/")
                    .replaceAll("/$", "");
            assertThat(PathGlob.parse(pattern).matches(path))
                    .as("'%s' matches '%s'", pattern, path)
                    .isEqualTo(FileSystems.getDefault()
                            .getPathMatcher("glob:" + pattern)
                            .matches(Path.of(path)));
        }
    }

    private static String random(Random random, String[] parts) {
        StringBuilder text = new StringBuilder();
        for (int part = random.nextInt(7); part >= 0; part--) {
            text.append(parts[random.nextInt(parts.length)]);
        }
        return text.toString();
    }

    // A backtracking matcher would not end within the life of the machine.
    @Test
    void hostile_paths_are_matched_in_linear_time() {
        PathGlob glob = PathGlob.parse("**/a/".repeat(30) + "*a*a*a*a*a*b");

        assertThat(glob.matches("a/".repeat(2_000) + "a".repeat(200))).isFalse();
    }
}
