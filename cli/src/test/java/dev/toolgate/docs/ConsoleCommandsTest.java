package dev.toolgate.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.cli.ToolgateCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The command lines that the console offers for copying are valid. */
class ConsoleCommandsTest {
    /** The words of a command line in the sources: {@code cli={['audit', 'list', ...]}}. */
    private static final Pattern START = Pattern.compile("cli(?:=\\{|: )[^\\[\\]{}]*\\[");

    private static final Pattern LEADING = Pattern.compile("\\s*'([a-z-]+)',?\\s*");
    private static final Pattern OPTION = Pattern.compile("'(--?[a-z][a-z-]*)'");

    /** A command line, as far as its words are literals in the source. */
    record Shown(String file, List<String> words, List<String> options) {}

    static Stream<Shown> commands() throws IOException {
        List<Shown> shown = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Documents.ROOT.resolve("console/src"))) {
            for (Path file : files.filter(each -> each.toString().matches(".*\\.tsx?"))
                    .sorted()
                    .toList()) {
                String source = Files.readString(file);
                Matcher start = START.matcher(source);
                while (start.find()) {
                    String array = source.substring(start.end(), endOf(source, start.end()));
                    List<String> words = new ArrayList<>();
                    Matcher word = LEADING.matcher(array);
                    while (word.lookingAt()) {
                        words.add(word.group(1));
                        word.region(word.end(), array.length());
                    }
                    shown.add(new Shown(
                            file.getFileName().toString(),
                            words,
                            OPTION.matcher(array)
                                    .results()
                                    .map(found -> found.group(1))
                                    .toList()));
                }
            }
        }
        assertThat(shown).hasSizeGreaterThan(25);
        return shown.stream();
    }

    private static int endOf(String source, int from) {
        int open = 1;
        for (int at = from; ; at++) {
            open += source.charAt(at) == '[' ? 1 : source.charAt(at) == ']' ? -1 : 0;
            if (open == 0) {
                return at;
            }
        }
    }

    @ParameterizedTest
    @MethodSource("commands")
    void every_command_and_option_shown_in_the_console_exists(Shown shown) {
        CommandLine command = ToolgateCommand.commandLine("help");
        for (String word : shown.words()) {
            if (!command.getSubcommands().isEmpty()) {
                assertThat(command.getSubcommands()).containsKey(word);
                command = command.getSubcommands().get(word);
            }
        }
        // If the subcommand is chosen at run time, any of them may have the option.
        List<CommandLine> possible = command.getSubcommands().isEmpty()
                ? List.of(command)
                : List.copyOf(command.getSubcommands().values());
        for (String option : shown.options()) {
            assertThat(possible)
                    .as(option)
                    .anyMatch(each -> each.getCommandSpec().findOption(option) != null);
        }
    }
}
