package dev.toolgate.server.condition;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelSource;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.ast.CelExpr;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Rejects lists and maps that are built inside a loop from the loop's variable: nested loops could double a value with
 * every level, and comparing it would never end. A list of the element alone is allowed, because {@code filter} expands
 * to it.
 */
final class LoopRule {
    private final CelSource source;

    private LoopRule(CelSource source) {
        this.source = source;
    }

    static void check(CelAbstractSyntaxTree tree) {
        new LoopRule(tree.getSource()).check(tree.getExpr(), Set.of());
    }

    private void check(CelExpr expression, Set<String> loops) {
        switch (expression.getKind()) {
            case LIST, MAP, STRUCT -> {
                if (!isElementAlone(expression) && names(expression).anyMatch(loops::contains)) {
                    throw CelLanguage.mistake(
                            position(expression),
                            "a list or map built inside a loop must not contain the loop's variable");
                }
                parts(expression).forEach(part -> check(part, loops));
            }
            case COMPREHENSION -> {
                CelExpr.CelComprehension loop = expression.comprehension();
                Set<String> inside = new HashSet<>(loops);
                inside.add(loop.iterVar());
                check(loop.iterRange(), loops);
                check(loop.loopCondition(), inside);
                check(loop.loopStep(), inside);
            }
            case NOT_SET, CONSTANT, IDENT, SELECT, CALL -> parts(expression).forEach(part -> check(part, loops));
        }
    }

    private static boolean isElementAlone(CelExpr expression) {
        return expression.getKind() == CelExpr.ExprKind.Kind.LIST
                && expression.list().elements().size() == 1
                && expression.list().elements().getFirst().getKind() == CelExpr.ExprKind.Kind.IDENT;
    }

    private static Stream<String> names(CelExpr expression) {
        return expression.getKind() == CelExpr.ExprKind.Kind.IDENT
                ? Stream.of(expression.ident().name())
                : parts(expression).stream().flatMap(LoopRule::names);
    }

    private static List<CelExpr> parts(CelExpr expression) {
        return switch (expression.getKind()) {
            case NOT_SET, CONSTANT, IDENT -> List.of();
            case SELECT -> List.of(expression.select().operand());
            case CALL ->
                Stream.concat(expression.call().target().stream(), expression.call().args().stream())
                        .toList();
            case LIST -> expression.list().elements();
            case MAP ->
                expression.map().entries().stream()
                        .flatMap(entry -> Stream.of(entry.key(), entry.value()))
                        .toList();
            case STRUCT ->
                expression.struct().entries().stream()
                        .map(CelExpr.CelStruct.Entry::value)
                        .toList();
            case COMPREHENSION -> {
                CelExpr.CelComprehension loop = expression.comprehension();
                yield List.of(loop.iterRange(), loop.accuInit(), loop.loopCondition(), loop.loopStep(), loop.result());
            }
        };
    }

    private CelSourceLocation position(CelExpr expression) {
        Integer offset = source.getPositionsMap().get(expression.id());
        return source.getOffsetLocation(offset == null ? 0 : offset).orElseThrow();
    }
}
