package dev.toolgate.cli.chat;

import dev.toolgate.cli.client.Api;
import dev.toolgate.cli.client.ServerOptions;
import dev.toolgate.cli.terminal.CtrlC;
import dev.toolgate.cli.terminal.ResultPrinter;
import dev.toolgate.cli.terminal.StandardOutput;
import dev.toolgate.cli.terminal.TerminalStyle;
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

/** {@code toolgate chat}: a conversation with a language model that uses an agent's tools. */
@Command(
        name = "chat",
        description = "Talk to a language model that uses an agent's tools.",
        mixinStandardHelpOptions = true)
public final class ChatCommand implements Callable<Integer> {
    private static final int INTERRUPTED = 130;
    private static final int MAX_PIPED_BYTES = 1024 * 1024;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions server = new ServerOptions();

    @Mixin
    private ChatOptions options = new ChatOptions();

    @Parameters(
            arity = "0..*",
            paramLabel = "MESSAGE",
            description = "One message, answered once. Without it: the piped input, or else a dialogue.")
    private List<String> words = List.of();

    @Override
    public Integer call() throws IOException {
        ObjectNode payload = options.payload();
        Optional<TerminalLines> terminal =
                server.output().form() == ResultPrinter.Form.JSON ? Optional.empty() : TerminalLines.find();
        boolean isDialogue = words.isEmpty() && terminal.isPresent();
        String message = isDialogue ? "" : message();
        TerminalEvents events = new TerminalEvents();
        Keyboard keyboard =
                terminal.map(lines -> new Keyboard(lines, events::add)).orElse(null);
        ChatScreen screen = screen();
        try (TerminalConversation conversation =
                new TerminalConversation(server.address(), server.key(), screen, keyboard, events)) {
            complete(payload, conversation.connect());
            CtrlC.handle(() -> events.add(new TerminalEvent.Interrupted()));
            if (isDialogue && keyboard != null) {
                payload.put("include_messages", true);
                return code(new Dialogue(conversation, screen, keyboard, events).hold(payload));
            }
            int code = once(conversation.send(payload, message));
            StandardOutput.finish(server.out());
            return code;
        }
    }

    private void complete(ObjectNode payload, JsonNode status) throws IOException {
        options.checkAgent(status);
        if (!payload.has("provider")) {
            try (Api api = server.api()) {
                payload.put("provider", OnlyProvider.of(api));
            }
        }
    }

    private static int code(Optional<AnswerEnd> last) {
        return last.orElse(null) instanceof AnswerEnd.Abandoned ? INTERRUPTED : 0;
    }

    private static int once(AnswerEnd end) throws IOException {
        return switch (end) {
            case AnswerEnd.Answered answered -> answered.extent() == AnswerEnd.Extent.COMPLETE ? 0 : INTERRUPTED;
            case AnswerEnd.Abandoned _ -> INTERRUPTED;
            case AnswerEnd.Failed failed -> throw new IOException(failed.sentence());
            case AnswerEnd.ConnectionLost lost -> throw new IOException(lost.sentence());
        };
    }

    private ChatScreen screen() {
        return switch (server.output().form()) {
            case JSON -> new JsonScreen(server.out(), server.err());
            case TEXT ->
                new TextScreen(
                        server.out(),
                        server.err(),
                        TerminalStyle.of(spec.commandLine().getColorScheme().ansi()));
        };
    }

    private String message() throws IOException {
        String message = words.isEmpty() ? pipedIn() : String.join(" ", words);
        if (message.isBlank()) {
            throw new WrongUsage("there is no message; write one after 'toolgate chat', or pipe one in");
        }
        return message;
    }

    private static String pipedIn() throws IOException {
        byte[] piped = System.in.readNBytes(MAX_PIPED_BYTES + 1);
        if (piped.length > MAX_PIPED_BYTES) {
            throw new WrongUsage(
                    "the piped input is longer than 1 MiB; put it in a file in the workspace and let the model read"
                            + " it");
        }
        return new String(piped, StandardCharsets.UTF_8).strip();
    }
}
