package dev.toolgate.core.shell;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The supported options of a launcher.
 *
 * @param flags short options without value
 * @param valued short options with a value
 * @param longFlags long options without value
 * @param longValued long options with a value
 * @param operands how many operands come before the started program
 */
record Options(String flags, String valued, Set<String> longFlags, Set<String> longValued, int operands) {
    static final Options NONE = new Options("", "", Set.of(), Set.of(), 0);

    private static final Pattern OPTION = Pattern.compile("-.+", Pattern.DOTALL);

    static Options of(String flags, String valued) {
        return new Options(flags, valued, Set.of(), Set.of(), 0);
    }

    Options named(Set<String> alone, Set<String> withValue) {
        return new Options(flags, valued, alone, withValue, operands);
    }

    Options before(int newOperands) {
        return new Options(flags, valued, longFlags, longValued, newOperands);
    }

    /** The index of the started program, or of the end. */
    int skip(List<Word> words) throws UncheckableCommand {
        String name = words.getFirst().text();
        int at = 1;
        while (at < words.size()
                && words.get(at).isLiteral()
                && OPTION.matcher(words.get(at).text()).matches()) {
            String option = words.get(at).text();
            if (option.equals("--")) {
                at++;
                break;
            }
            int used = option.startsWith("--") ? ofLong(option, name) : ofShort(option, name);
            if (used == 2 && at + 1 < words.size()) {
                words.get(at + 1).literal("an argument of '" + name + "'");
            }
            at += used;
        }
        for (int i = 0; i < operands && at < words.size(); i++, at++) {
            words.get(at).literal("an argument of '" + name + "'");
        }
        return Math.min(at, words.size());
    }

    private int ofLong(String option, String name) throws UncheckableCommand {
        int equals = option.indexOf('=');
        String word = equals < 0 ? option.substring(2) : option.substring(2, equals);
        if (longFlags.contains(word) && equals < 0) {
            return 1;
        }
        if (longValued.contains(word)) {
            return equals < 0 ? 2 : 1;
        }
        throw unknown(option, name);
    }

    private int ofShort(String option, String name) throws UncheckableCommand {
        for (int i = 1; i < option.length(); i++) {
            char letter = option.charAt(i);
            if (valued.indexOf(letter) >= 0) {
                return i == option.length() - 1 ? 2 : 1;
            }
            if (flags.indexOf(letter) < 0) {
                throw unknown(option, name);
            }
        }
        return 1;
    }

    private static UncheckableCommand unknown(String option, String name) {
        return new UncheckableCommand("option '" + option + "' of '" + name + "' is not known here");
    }
}
