package dev.toolgate.core.schema;

import com.networknt.schema.regex.RegularExpression;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Regular expressions of third-party schemas. Matching counts every character that is read, since some expressions take
 * exponential time. One that Java cannot compile matches everything: schemas use another dialect.
 */
final class MeteredPattern {
    private static final RegularExpression ANYTHING = value -> true;

    private MeteredPattern() {}

    static RegularExpression compile(String regex) {
        try {
            Pattern pattern = Pattern.compile(regex);
            return value -> pattern.matcher(new CountedText(value, BoundedExecution.CURRENT.get(), 0, value.length()))
                    .find();
        } catch (PatternSyntaxException | StackOverflowError unknownDialect) {
            return ANYTHING;
        }
    }

    private record CountedText(String text, BoundedExecution execution, int start, int end) implements CharSequence {
        @Override
        public int length() {
            return end - start;
        }

        @Override
        public char charAt(int index) {
            execution.character();
            return text.charAt(start + index);
        }

        @Override
        public CharSequence subSequence(int from, int to) {
            return new CountedText(text, execution, start + from, start + to);
        }

        @Override
        public String toString() {
            return text.substring(start, end);
        }
    }
}
