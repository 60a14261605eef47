package dev.toolgate.core.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.call.Bounds;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PathPatternsTest {
    private static final List<Path> ROOT = List.of(Path.of("/srv/data"));

    @ParameterizedTest
    @CsvSource({
        "/srv/*, notes.txt, true",
        "/srv/other*, notes.txt, false",
        "/srv, notes.txt, true",
        "/srv/data/secret, secret/a, true",
        "/srv/data/s*, secret/a/b, true",
        "**/.git/**, .git, true",
        "**/.git/**, .git/hooks/pre-commit, true",
        "a/**/b/**/c, a/b/x/c/deeper, true",
        "'{**/.env,**/.npmrc}', .npmrc, true",
        "build/, build/x, true",
        "**/build/, x/build/y, true",
        "*.key, a/b.key, false",
        "**/*.key, b.key, true",
        "**, x, true"
    })
    void a_blocked_folder_blocks_everything_in_it(String pattern, String path, boolean blocked) {
        PathPatterns patterns = new PathPatterns(bounds(null, List.of(pattern)));

        assertThat(patterns.objection(Path.of(path), ROOT, path).isPresent()).isEqualTo(blocked);
    }

    @ParameterizedTest
    @CsvSource({
        "/srv/*, notes.txt, false",
        "/srv/data/*, notes.txt, true",
        "/srv/data/*, a/notes.txt, false",
        "/srv/data/**, a/notes.txt, true",
        "*, a/b, false",
        "src, src/a/b, true",
        "src/**/test/**/*.txt, src/test/x/a.txt, true"
    })
    void an_allowed_pattern_allows_exactly_what_it_matches(String pattern, String path, boolean allowed) {
        PathPatterns patterns = new PathPatterns(bounds(List.of(pattern), List.of()));

        assertThat(patterns.objection(Path.of(path), ROOT, path).isEmpty()).isEqualTo(allowed);
    }

    @Test
    void an_invalid_pattern_refuses_every_path() {
        PathPatterns patterns = new PathPatterns(bounds(null, List.of("[a")));

        assertThat(patterns.objection(Path.of("x"), ROOT, "x")).get().asString().contains("not a valid pattern");
    }

    private static Bounds bounds(@Nullable List<String> allowed, List<String> blocked) {
        return new Bounds(null, null, null, allowed, blocked, null, null, List.of());
    }
}
