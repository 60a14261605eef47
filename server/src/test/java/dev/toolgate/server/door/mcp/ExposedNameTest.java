package dev.toolgate.server.door.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExposedNameTest {
    @ParameterizedTest
    @CsvSource({"file_read, file_read", "srv/read, srv__read", "my-server/get-it, my-server__get-it"})
    void ordinary_names_stay_readable(String canonical, String exposed) {
        assertThat(ExposedName.of(canonical)).isEqualTo(exposed);
    }

    @Test
    void similar_names_stay_distinct() {
        List<String> names = List.of(
                "srv/read",
                "srv.read",
                "srv:read",
                "srv__read",
                "srv_read",
                "srv/_read",
                "srv_/read",
                "srv//read",
                "srv/read/",
                "a".repeat(49),
                "a".repeat(50),
                "a".repeat(40) + "/" + "b".repeat(40),
                "_",
                "ä",
                "");

        List<String> exposed = names.stream().map(ExposedName::of).toList();

        assertThat(exposed).doesNotHaveDuplicates().allMatch(name -> name.matches("[A-Za-z0-9_-]{1,48}"));
        assertThat(names.stream().map(ExposedName::of)).containsExactlyElementsOf(exposed);
        // Even a name made to look like another's exposed name is distinct.
        assertThat(exposed).doesNotContain(ExposedName.of(ExposedName.of("srv.read")));
    }
}
