package dev.toolgate.cli.chat;

import dev.toolgate.cli.terminal.PrintableText;
import dev.toolgate.cli.terminal.TerminalStyle;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Shows a conversation as text: the answer on the standard output, thoughts and tools on the standard error. Control
 * characters from the server never reach the terminal.
 */
final class TextScreen implements ChatScreen {
    private static final String INDENT = "    ";
    private static final int MAX_LENGTH = 160;

    private final PrintWriter out;
    private final PrintWriter err;
    private final TerminalStyle style;
    private final Map<String, String> tools = new HashMap<>();
    private Part open = Part.NOTHING;
    private String speaker = "";

    /** What the unfinished line belongs to. */
    private enum Part {
        NOTHING,
        ANSWER,
        THOUGHT,
        TOOL,
        PROMPT
    }

    TextScreen(PrintWriter out, PrintWriter err, TerminalStyle style) {
        this.out = out;
        this.err = err;
        this.style = style;
    }

    @Override
    public void show(TerminalEvent.ServerMessage message) {
        JsonNode payload = message.payload();
        switch (message.type()) {
            case "chat:text-delta" -> answer(PrintableText.lines(text(payload, "content")));
            case "chat:thinking-delta" -> thought(PrintableText.lines(text(payload, "content")));
            case "chat:tool-confirm" -> tools.put(text(payload, "toolId"), text(payload, "toolName"));
            case "chat:tool-start" -> starts(payload);
            case "chat:tool-delta" -> says(text(payload, "toolId"), PrintableText.lines(text(payload, "chunk")));
            case "chat:tool-result" -> ends(payload);
            default -> {
                // not shown
            }
        }
    }

    private void answer(String text) {
        write(Part.ANSWER, out, text, text);
    }

    private void thought(String text) {
        write(Part.THOUGHT, err, text, style.faintly((open == Part.THOUGHT ? "" : "(thinking) ") + text));
    }

    private void starts(JsonNode call) {
        tools.put(text(call, "toolId"), text(call, "toolName"));
        remark(name(call) + " " + shortened(PrintableText.of(call.path("input").toString())));
    }

    private void says(String tool, String text) {
        if (open == Part.TOOL && !speaker.equals(tool)) {
            endLine();
        }
        speaker = tool;
        String body = text.endsWith("\n") ? text.substring(0, text.length() - 1) : text;
        String end = text.endsWith("\n") ? "\n" : "";
        write(Part.TOOL, err, text, (open == Part.TOOL ? "" : INDENT) + body.replace("\n", "\n" + INDENT) + end);
    }

    private void ends(JsonNode result) {
        remark(name(result) + " " + (text(result, "status").equals("success") ? "ok" : "error " + problem(result)));
        tools.remove(text(result, "toolId"));
    }

    private static String problem(JsonNode result) {
        String code = PrintableText.of(text(result.path("metadata"), "code"));
        String said = shortened(PrintableText.of(text(result, "result")));
        return said.startsWith(code) ? said : code + ": " + said;
    }

    private String name(JsonNode call) {
        return "[" + PrintableText.of(tools.getOrDefault(text(call, "toolId"), "tool")) + "]";
    }

    @Override
    public void remark(String text) {
        endLine();
        err.println(text);
        err.flush();
    }

    @Override
    public void prompt(String prompt) {
        write(Part.PROMPT, err, prompt, prompt);
    }

    @Override
    public void typed() {
        open = Part.NOTHING;
    }

    @Override
    public void endLine() {
        if (open != Part.NOTHING) {
            PrintWriter unfinished = open == Part.ANSWER ? out : err;
            unfinished.println();
            unfinished.flush();
            open = Part.NOTHING;
        }
    }

    @Override
    public boolean hasFailed() {
        return out.checkError();
    }

    private void write(Part part, PrintWriter to, String text, String shown) {
        if (text.isEmpty()) {
            return;
        }
        if (open != part) {
            endLine();
        }
        to.print(shown);
        to.flush();
        open = text.endsWith("\n") ? Part.NOTHING : part;
    }

    private static String text(JsonNode payload, String field) {
        return payload.path(field).asString("");
    }

    private static String shortened(String text) {
        return text.length() <= MAX_LENGTH ? text : text.substring(0, MAX_LENGTH - 1) + "…";
    }
}
