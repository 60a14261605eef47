package dev.toolgate.server.condition;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.toolgate.core.decision.InvalidCondition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The subset of CEL for conditions, with limits on text length, nesting depth, loop iterations and the size of regular
 * expressions (RE2). Macros that build new lists ({@code map}) are left out.
 */
final class CelLanguage {
    private static final int MAX_LENGTH = 2_000;
    private static final int MAX_MISTAKES = 20;
    private static final CelOptions OPTIONS = CelOptions.current()
            .maxExpressionCodePointSize(MAX_LENGTH)
            .maxParseRecursionDepth(48)
            .maxParseExpressionNodeCount(1_000)
            .comprehensionMaxIterations(10_000)
            .maxRegexProgramSize(1_000)
            .enableHeterogeneousNumericComparisons(true)
            .build();
    private static final CelCompiler COMPILER = CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(OPTIONS)
            .setStandardMacros(
                    CelStandardMacro.HAS,
                    CelStandardMacro.ALL,
                    CelStandardMacro.EXISTS,
                    CelStandardMacro.EXISTS_ONE,
                    CelStandardMacro.FILTER)
            .addVar("agent", SimpleType.STRING)
            .addVar("tool", SimpleType.STRING)
            .addVar("operation", SimpleType.STRING)
            .addVar("project", SimpleType.STRING)
            .addVar("session", SimpleType.STRING)
            .addVar("time", SimpleType.TIMESTAMP)
            .addVar("params", MapType.create(SimpleType.STRING, SimpleType.DYN))
            .setResultType(SimpleType.BOOL)
            .build();
    // This runtime reads a map lazily, so that large arguments cost only what the condition reads.
    private static final CelRuntime RUNTIME =
            CelRuntimeFactory.legacyCelRuntimeBuilder().setOptions(OPTIONS).build();

    private CelLanguage() {}

    /**
     * The result of a compilation: either a condition or mistakes.
     *
     * @param mistakes in the order of their positions
     */
    record Checked(@Nullable CelCondition condition, List<InvalidCondition> mistakes) {
        private static Checked wrong(InvalidCondition mistake) {
            return new Checked(null, List.of(mistake));
        }
    }

    static CelCondition compile(String text) {
        Checked checked = check(text);
        if (checked.condition() == null) {
            throw checked.mistakes().getFirst();
        }
        return checked.condition();
    }

    static Checked check(String text) {
        if (text.isBlank()) {
            return Checked.wrong(new InvalidCondition("The condition is empty."));
        }
        if (text.length() > MAX_LENGTH) {
            return Checked.wrong(new InvalidCondition("The condition is longer than " + MAX_LENGTH + " characters."));
        }
        try {
            CelAbstractSyntaxTree tree = COMPILER.compile(text).getAst();
            LoopRule.check(tree);
            return new Checked(new CelCondition(text, RUNTIME.createProgram(tree)), List.of());
        } catch (CelValidationException mistakes) {
            List<InvalidCondition> all = mistakes.getErrors().stream()
                    .limit(MAX_MISTAKES)
                    .map(issue -> mistake(issue.getSourceLocation(), wording(issue)))
                    .toList();
            return all.isEmpty()
                    ? Checked.wrong(new InvalidCondition("The condition cannot be parsed."))
                    : new Checked(null, all);
        } catch (CelEvaluationException unusable) {
            return Checked.wrong(new InvalidCondition("The condition cannot be compiled."));
        } catch (InvalidCondition loop) {
            return Checked.wrong(loop);
        }
    }

    static InvalidCondition mistake(CelSourceLocation where, String what) {
        int line = Math.max(1, where.getLine());
        int column = Math.max(1, where.getColumn() + 1);
        return new InvalidCondition(
                "The condition has an error at position " + line + ":" + column + ": " + what + ".", line, column);
    }

    /** The library's message on one line, without parser internals. */
    private static String wording(CelIssue issue) {
        String message = issue.getMessage().replaceAll("\\s+", " ").replace(" (in container '')", "");
        int expected = message.indexOf(" expecting ");
        String what = expected < 0 ? message : message.substring(0, expected);
        return what.replaceAll("(mismatched|extraneous) input '<EOF>'", "it ends too early")
                .replaceAll("[.\\s]+$", "");
    }
}
