package dev.toolgate.cli.chat;

import dev.toolgate.cli.client.Api;
import dev.toolgate.cli.client.ServerOptions;
import dev.toolgate.cli.terminal.CtrlC;
import dev.toolgate.cli.terminal.Ink;
import dev.toolgate.cli.terminal.ResultPrinter;
import dev.toolgate.cli.terminal.StandardOutput;
import dev.toolgate.cli.terminal.WrongUsage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code toolgate chat}: talks to a language model that uses an agent's tools through the gate. */
@Command(
        name = "chat",
        description = "Talk to a language model that uses an agent's tools.",
        mixinStandardHelpOptions = true)
public final class ChatCommand implements Callable<Integer> {
    private static final int INTERRUPTED = 130;
    private static final int LONGEST = 1024 * 1024;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Mixin
    private ChatTerms terms = new ChatTerms();

    @Parameters(
            arity = "0..*",
            paramLabel = "MESSAGE",
            description = "One message, answered once. Without it: what is piped in, or else a dialogue.")
    private List<String> words = List.of();

    @Override
    public Integer call() throws IOException {
        ObjectNode payload = terms.payload();
        Optional<TerminalLines> terminal =
                server.output().form() == ResultPrinter.Form.JSON ? Optional.empty() : TerminalLines.find();
        boolean isDialogue = words.isEmpty() && terminal.isPresent();
        String message = isDialogue ? "" : message();
        Happenings happenings = new Happenings();
        Keyboard keyboard =
                terminal.map(lines -> new Keyboard(lines, happenings::add)).orElse(null);
        ChatScreen screen = screen();
        try (TerminalConversation conversation =
                new TerminalConversation(server.address(), server.key(), screen, keyboard, happenings)) {
            complete(payload, conversation.connect());
            CtrlC.does(() -> happenings.add(new Happening.Interrupted()));
            if (isDialogue && keyboard != null) {
                payload.put("include_messages", true);
                return code(new Dialogue(conversation, screen, keyboard, happenings).hold(payload));
            }
            int code = once(conversation.send(payload, message));
            StandardOutput.finish(server.out());
            return code;
        }
    }

    private void complete(ObjectNode payload, JsonNode status) throws IOException {
        terms.checkAgent(status);
        if (!payload.has("provider")) {
            try (Api api = server.api()) {
                payload.put("provider", OnlyProvider.of(api));
            }
        }
    }

    private static int code(Optional<AnswerEnd> last) {
        return last.orElse(null) instanceof AnswerEnd.Left ? INTERRUPTED : 0;
    }

    private static int once(AnswerEnd end) throws IOException {
        return switch (end) {
            case AnswerEnd.Said said -> said.extent() == AnswerEnd.Extent.WHOLE ? 0 : INTERRUPTED;
            case AnswerEnd.Left _ -> INTERRUPTED;
            case AnswerEnd.Failed failed -> throw new IOException(failed.sentence());
            case AnswerEnd.Cut cut -> throw new IOException(cut.sentence());
        };
    }

    private ChatScreen screen() {
        return switch (server.output().form()) {
            case JSON -> new JsonScreen(server.out(), server.err());
            case TEXT ->
                new TextScreen(
                        server.out(),
                        server.err(),
                        Ink.of(spec.commandLine().getColorScheme().ansi()));
        };
    }

    private String message() throws IOException {
        String message = words.isEmpty() ? pipedIn() : String.join(" ", words);
        if (message.isBlank()) {
            throw new WrongUsage("there is no message: write one behind 'toolgate chat', or pipe one in");
        }
        return message;
    }

    private static String pipedIn() throws IOException {
        byte[] piped = System.in.readNBytes(LONGEST + 1);
        if (piped.length > LONGEST) {
            throw new WrongUsage(
                    "what is piped in is longer than a message of 1 MiB; put it into a file of the workspace,"
                            + " and let the model read that");
        }
        return new String(piped, StandardCharsets.UTF_8).strip();
    }
}
