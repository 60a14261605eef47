package dev.toolgate.chat.loop;

import dev.toolgate.chat.model.ChatRequest;
import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.ToolCall;
import dev.toolgate.chat.model.Usage;
import dev.toolgate.core.call.CallListener;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.Danger;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

/** A conversation with a scripted model and tools; records all events. */
@Timeout(60)
abstract class LoopFixture {
    static final Message ASK = new Message.User("What is in it?");
    static final ChatTurn TURN = ChatTurn.of(ChatRequest.of("fake-1", List.of(ASK)));
    static final String ID = TURN.messageId();
    static final Usage USAGE = new Usage(10, 5);

    final List<ChatEvent> events = new CopyOnWriteArrayList<>();
    final Cancellation cancellation = new Cancellation();

    static ToolCall call(String id, String tool) {
        return new ToolCall(id, tool, "{\"path\":\"/" + id + "\"}");
    }

    static ObjectNode input(String id) {
        return Json.MAPPER.createObjectNode().put("path", "/" + id);
    }

    static Message.Tool result(String id, String tool, String text) {
        return new Message.Tool(id, tool, text, Message.Status.SUCCESS);
    }

    interface Work {
        Outcome run(ToolCall call, CallListener progress, Cancellation cancellation) throws Exception;
    }

    /** Tools whose name starts with "safe" are safe, all others dangerous. */
    static ToolRunner tools(Work work) {
        return new ToolRunner() {
            @Override
            public Danger danger(String toolName) {
                return toolName.startsWith("safe") ? Danger.SAFE : Danger.DANGEROUS;
            }

            @Override
            public Outcome run(ToolCall call, ObjectNode arguments, CallListener progress, Cancellation cancellation) {
                try {
                    return work.run(call, progress, cancellation);
                } catch (RuntimeException broken) {
                    throw broken;
                } catch (Exception broken) {
                    throw new IllegalStateException(broken);
                }
            }
        };
    }

    static final ToolRunner ECHO =
            tools((call, progress, cancellation) -> new Outcome.Completed(Output.text("did " + call.id())));

    TurnResult run(FakeModel model, ToolRunner tools) {
        return new ToolLoop(model, tools).run(TURN, events::add, cancellation);
    }
}
