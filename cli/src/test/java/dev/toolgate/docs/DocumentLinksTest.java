package dev.toolgate.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DocumentLinksTest {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern PROTOCOL = Pattern.compile("^[a-z]+:.*");

    static List<Path> documents() {
        return Documents.all();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void every_link_to_a_project_file_has_a_target(Path document) {
        List<String> broken = LINK.matcher(Documents.text(document))
                .results()
                .map(link -> link.group(1).replaceFirst("#.*", ""))
                .filter(target -> !target.isEmpty() && !PROTOCOL.matcher(target).matches())
                .filter(target -> !Files.exists(document.resolveSibling(target)))
                .toList();

        assertThat(broken).as("links of " + Documents.ROOT.relativize(document)).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("documents")
    void every_excerpt_is_in_its_source_file(Path document) {
        Pattern excerpt = Pattern.compile("<!-- excerpt: (\\S+) -->\\s*```\\w+\\n(.*?)```", Pattern.DOTALL);
        for (MatchResult found :
                excerpt.matcher(Documents.text(document)).results().toList()) {
            String source = Documents.text(Documents.ROOT.resolve(found.group(1)));
            assertThat(withoutLayout(source))
                    .as("excerpt of " + found.group(1))
                    .contains(withoutLayout(found.group(2).replaceFirst("\\}\\s*$", "")));
        }
    }

    private static String withoutLayout(String code) {
        return code.replaceAll("\\s+", "");
    }
}
