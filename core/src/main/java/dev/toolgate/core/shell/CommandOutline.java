package dev.toolgate.core.shell;

import dev.toolgate.core.output.VisibleText;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Summarises for approvers what a shell command line would run: programs and arguments, order and conditions,
 * substitutions, and files read and written. A line that cannot be parsed with certainty is not guessed at. Bounded in
 * length, and omissions are always stated.
 */
public final class CommandOutline {
    private static final int MAX_STEPS = 50;
    private static final int MAX_PROGRAMS = 50;
    private static final int MAX_NAME_LENGTH = 60;
    private static final int MAX_DEPTH = 20;

    private final List<String> lines = new ArrayList<>();
    private final Set<String> programs = new LinkedHashSet<>();
    private int steps;
    private boolean background;

    private CommandOutline() {}

    /** The outline, or one line that says why there is none. */
    public static String of(String line) {
        CommandOutline outline = new CommandOutline();
        try {
            outline.addLine(line, 0, 0);
        } catch (UncheckableCommand unclear) {
            return "WHAT THIS RUNS COULD NOT BE WORKED OUT, because "
                    + StepText.shortened(VisibleText.line(String.valueOf(unclear.getMessage())))
                    + ". Judge it by how it is written.";
        }
        return outline.text();
    }

    private String text() {
        if (steps == 0) {
            return "It runs no program.";
        }
        StringBuilder text = new StringBuilder("It runs: ")
                .append(programs.stream().limit(MAX_PROGRAMS).collect(Collectors.joining(", ")));
        if (programs.size() > MAX_PROGRAMS) {
            text.append(" AND ").append(programs.size() - MAX_PROGRAMS).append(" OTHERS");
        }
        if (programs.isEmpty()) {
            text.append("no program");
        }
        text.append('\n').append(String.join("\n", lines));
        if (steps > MAX_STEPS) {
            text.append("\n    ")
                    .append(steps - MAX_STEPS)
                    .append(" MORE STEPS ARE NOT SHOWN HERE; all programs they run are named above.");
        }
        if (background) {
            text.append("\n    The last of them is left running in the background.");
        }
        return text.toString();
    }

    private void addLine(String line, int indent, int depth) throws UncheckableCommand {
        if (line.indexOf('\0') >= 0) {
            throw new UncheckableCommand("it contains a NUL character");
        }
        Steps read = ShellParser.steps(line);
        for (Step step : read.all()) {
            add(step, indent, depth);
        }
        background |= read.rest().contains("&");
    }

    private void add(Step step, int indent, int depth) throws UncheckableCommand {
        if (depth > MAX_DEPTH) {
            throw new UncheckableCommand("its commands start one another too many times");
        }
        if (++steps <= MAX_STEPS) {
            lines.addAll(StepText.lines(steps, step, indent + step.depth()));
        }
        if (step.words().isEmpty()) {
            return;
        }
        name(step.words().getFirst().literal("the name of a command"));
        Builtins.check(step.words());
        for (Started started : Launchers.startedBy(step.words())) {
            int within = indent + step.depth() + 1;
            switch (started) {
                case Started.Command command ->
                    add(Step.of(0, List.of(StepText.STARTED), command.words()), within, depth + 1);
                case Started.Line line -> addLine(line.text(), within, depth + 1);
            }
        }
    }

    private void name(String program) {
        String shown = StepText.quoted(program);
        String warned = program.chars().allMatch(c -> c < 0x80) ? "" : " (NOT PLAIN LETTERS)";
        programs.add(
                (shown.length() <= MAX_NAME_LENGTH ? shown : shown.substring(0, MAX_NAME_LENGTH) + "...") + warned);
    }
}
