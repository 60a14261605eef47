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

/**
 * CEL as far as conditions need it, within bounds: of the text, of its depth, of the steps of its loops
 * and of its regular expressions, which are RE2's. Loops that build new lists ({@code map}) are left out.
 */
final class CelLanguage {
    private static final int LONGEST = 2_000;
    private static final CelOptions OPTIONS = CelOptions.current()
            .maxExpressionCodePointSize(LONGEST)
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
    // The kind of runtime that looks at a map only where the condition does, however large the map.
    private static final CelRuntime RUNTIME =
            CelRuntimeFactory.legacyCelRuntimeBuilder().setOptions(OPTIONS).build();

    private CelLanguage() {}

    static CelCondition compile(String text) {
        if (text.isBlank()) {
            throw new InvalidCondition("The condition is empty.");
        }
        if (text.length() > LONGEST) {
            throw new InvalidCondition("The condition is longer than " + LONGEST + " characters.");
        }
        try {
            CelAbstractSyntaxTree tree = COMPILER.compile(text).getAst();
            LoopRule.check(tree);
            return new CelCondition(text, RUNTIME.createProgram(tree));
        } catch (CelValidationException mistake) {
            throw mistake.getErrors().stream()
                    .findFirst()
                    .map(issue -> mistake(issue.getSourceLocation(), wording(issue)))
                    .orElseGet(() -> new InvalidCondition("The condition cannot be read."));
        } catch (CelEvaluationException unusable) {
            throw new InvalidCondition("The condition cannot be made ready for use.");
        }
    }

    static InvalidCondition mistake(CelSourceLocation where, String what) {
        return new InvalidCondition("The condition has a mistake at position " + where.getLine() + ":"
                + (where.getColumn() + 1) + ": " + what + ".");
    }

    /** The library's words in one line, without what only says how the parser works. */
    private static String wording(CelIssue issue) {
        String message = issue.getMessage().replaceAll("\\s+", " ").replace(" (in container '')", "");
        int expected = message.indexOf(" expecting ");
        String what = expected < 0 ? message : message.substring(0, expected);
        return what.replaceAll("(mismatched|extraneous) input '<EOF>'", "it ends too early")
                .replaceAll("[.\\s]+$", "");
    }
}
