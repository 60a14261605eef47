package dev.toolgate.cli.chat;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.identity.Role;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.chat.ChatTrial;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Starts {@code toolgate chat} at a terminal, with a scripted model. */
record ChatPrograms(ChatTrial trial) {
    static final String OWN_KEY = "sk-own-key-of-tests";

    Map<String, String> environment(String key) {
        Map<String, String> environment = new TreeMap<>();
        environment.put("TOOLGATE_URL", trial.server.url());
        environment.put("TOOLGATE_KEY", key);
        environment.put("TOOLGATE_CHAT_MODEL", "model-of-tests");
        environment.put("MY_KEY", OWN_KEY);
        return environment;
    }

    static String[] words(List<String> more) {
        List<String> words = new ArrayList<>(List.of("chat", "--provider", "openai", "--api-key-env", "MY_KEY"));
        words.addAll(more);
        return words.toArray(String[]::new);
    }

    /** A user who may answer approval requests, with the tools of the agent {@code writer}. */
    ProgramAtTerminal admin(String... more) throws IOException {
        List<String> words = new ArrayList<>(List.of("--agent", "writer"));
        words.addAll(List.of(more));
        return ProgramAtTerminal.start(
                environment(trial.server.key(RunningServer.FIRST, Role.ADMIN, null)), words(words));
    }

    ProgramAtTerminal agent(AgentId agent, String... more) throws IOException {
        return ProgramAtTerminal.start(environment(trial.key(RunningServer.FIRST, agent)), words(List.of(more)));
    }
}
