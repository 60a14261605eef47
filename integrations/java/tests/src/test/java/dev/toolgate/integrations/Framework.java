package dev.toolgate.integrations;

import dev.toolgate.client.tools.GatedTools;
import java.util.List;

/** A framework with our adapter and a scripted model, which makes the given calls at once and then answers. */
enum Framework {
    LANGCHAIN4J("toolgate-langchain4j/0.1.0") {
        @Override
        List<String> told(GatedTools gate, Deployments own, WantedCall... calls) {
            return LangChain4jAssistant.of(gate).withOwnTools(own).told(calls);
        }

        @Override
        List<String> toldWithRetries(GatedTools gate, Deployments own, WantedCall call) {
            return LangChain4jAssistant.of(gate).withRetriedTools(own).told(call);
        }

        @Override
        Offer offered(GatedTools gate, WantedCall... calls) {
            LangChain4jAssistant assistant = LangChain4jAssistant.of(gate).withToolsOfTheGate();
            return new Offer(assistant.told(calls), assistant.offered());
        }
    },

    SPRING_AI("toolgate-spring-ai/0.1.0") {
        @Override
        List<String> told(GatedTools gate, Deployments own, WantedCall... calls) {
            return SpringAssistant.of(gate).withOwnTools(own).told(calls);
        }

        @Override
        List<String> toldWithRetries(GatedTools gate, Deployments own, WantedCall call) {
            return SpringAssistant.retrying(gate).withOwnTools(own).told(call);
        }

        @Override
        Offer offered(GatedTools gate, WantedCall... calls) {
            SpringAssistant assistant = SpringAssistant.of(gate).withToolsOfTheGate();
            return new Offer(assistant.told(calls), assistant.offered());
        }
    };

    /** What a model was told about its calls, and the names of the tools that it was offered. */
    record Offer(List<String> told, List<String> names) {}

    private final String source;

    Framework(String source) {
        this.source = source;
    }

    /** The program that records name. */
    String source() {
        return source;
    }

    /** What the model is told about its calls of the application's own tools, in their order. */
    abstract List<String> told(GatedTools gate, Deployments own, WantedCall... calls);

    /** The same, where something around the gated tool tries three times. */
    abstract List<String> toldWithRetries(GatedTools gate, Deployments own, WantedCall call);

    /** The same for tools that the gate runs. */
    abstract Offer offered(GatedTools gate, WantedCall... calls);
}
