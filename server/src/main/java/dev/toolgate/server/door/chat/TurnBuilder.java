package dev.toolgate.server.door.chat;

import dev.toolgate.chat.loop.ChatTurn;
import dev.toolgate.chat.loop.TokenMeter;
import dev.toolgate.chat.loop.ToolLoop;
import dev.toolgate.chat.model.ChatRequest;
import dev.toolgate.chat.model.Message;
import dev.toolgate.chat.model.MessageJson;
import dev.toolgate.chat.model.Provider;
import dev.toolgate.chat.provider.Claude;
import dev.toolgate.chat.provider.OpenAi;
import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.CallContext;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.call.Failure;
import dev.toolgate.core.call.SessionId;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.ToolScope;
import dev.toolgate.core.call.TrustLevel;
import dev.toolgate.core.identity.Identity;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.pipeline.Answer;
import dev.toolgate.core.policy.LlmPolicy;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.policy.Session;
import dev.toolgate.core.tool.ToolDefinition;
import dev.toolgate.http.error.BadRequest;
import dev.toolgate.http.error.HttpFailure;
import dev.toolgate.server.gate.CallRequest;
import dev.toolgate.server.gate.Identified;
import dev.toolgate.server.gate.Impersonation;
import dev.toolgate.server.model.ModelEndpoint;
import dev.toolgate.server.model.ModelProviders;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Builds a turn of a conversation from a client's message, or refuses it. */
final class TurnBuilder {
    private static final String OPERATION = "chat";
    // Compatible servers at other URLs may work without a key.
    private static final Set<URI> NEED_A_KEY = Set.of(Claude.ADDRESS, OpenAi.ADDRESS);

    private final ChatServices services;
    private final String correlationId;

    /**
     * @param correlationId of the request that opened the socket; recorded with the calls of its conversations
     */
    TurnBuilder(ChatServices services, String correlationId) {
        this.services = services;
        this.correlationId = correlationId;
    }

    /** A turn that is ready to run. */
    record PreparedTurn(ToolLoop loop, ChatTurn turn) {}

    /**
     * @param identity identifies the client again later, and ends the connection if that fails
     * @throws HttpFailure if the message is refused
     */
    PreparedTurn build(SendRequest wanted, Principal principal, Supplier<Identity> identity) {
        TenantId tenant = principal.tenant();
        String messageId = UUID.randomUUID().toString();
        CallRequest conversation = conversation(wanted, agent(wanted, principal), messageId);
        Caller caller = caller(principal, conversation);
        @Nullable PolicyBundle session = session(caller);
        @Nullable ToolScope scope = new TurnScope(services.catalog(), tenant).read(wanted.tools());
        Provider provider = provider(wanted, tenant);
        GateToolRunner runner = new GateToolRunner(
                services.gate(),
                services.catalog(),
                principal,
                conversation.scopedTo(scope),
                () -> trust(tenant, caller.agent(), wanted.trustLevel()),
                identity);
        ChatTurn turn = new ChatTurn(
                messageId,
                request(wanted, tools(caller, session, scope)),
                session == null ? LlmPolicy.NONE : session.llmPolicy(),
                meter(tenant, wanted.sessionId()));
        return new PreparedTurn(new ToolLoop(new RecheckedProvider(provider, identity), runner), turn);
    }

    private Provider provider(SendRequest wanted, TenantId tenant) {
        ModelProviders providers = services.providers();
        ModelEndpoint endpoint = providers
                .endpoint(wanted.provider())
                .orElseThrow(() -> new BadRequest(
                        "Field 'provider' must be one of " + String.join(", ", providers.names()) + "."));
        if (NEED_A_KEY.contains(endpoint.baseUrl())
                && wanted.apiKey() == null
                && providers.key(endpoint, tenant).isEmpty()) {
            throw new BadRequest("There is no API key for '" + endpoint.provider()
                    + "'; send one in the field 'api_key', or set the secret " + endpoint.secret() + " of the server.");
        }
        return providers.find(endpoint.provider(), tenant).orElseThrow();
    }

    /** What all calls of the conversation share; also recorded if the conversation itself is refused. */
    private CallRequest conversation(SendRequest wanted, AgentId agent, String messageId) {
        return CallRequest.of(OPERATION, Json.MAPPER.createObjectNode())
                .as(agent, CallRequest.Acting.CHATTING)
                .in(wanted.sessionId(), null)
                .purpose(OPERATION, wanted.projectId())
                .held(Call.WhenHeld.WAIT_OR_WITHDRAW)
                .from(CallContext.NONE.correlatedBy(correlationId).inChat(wanted.conversationId(), messageId));
    }

    private Caller caller(Principal principal, CallRequest conversation) {
        Caller caller =
                switch (services.gate().identify(principal, conversation)) {
                    case Identified.Known known -> known.caller();
                    case Impersonation attempt -> throw refusal(attempt);
                };
        if (!caller.agent().equals(principal.agent())
                && services.trust().apply(caller.tenant(), caller.agent()).isEmpty()) {
            throw new BadRequest("There is no agent '" + caller.agent() + "'.");
        }
        return caller;
    }

    private static HttpFailure refusal(Impersonation attempt) {
        Failure why =
                switch (attempt.answer()) {
                    case Answer.Ended ended -> attempt.why();
                    case Answer.Held held -> attempt.why();
                    case Answer.Permitted permitted -> attempt.why();
                    case Answer.Undecided undecided ->
                        undecided.failure(); // too many refused calls, or the record failed
                };
        return HttpFailure.of(why.code(), why.message() + ".").withRetryAfter(why.retryAfter());
    }

    private static AgentId agent(SendRequest wanted, Principal principal) {
        AgentId agent = wanted.agentId() == null ? onlyAgent(principal) : wanted.agentId();
        if (agent == null) {
            throw new BadRequest(
                    "This key does not belong to one agent; name the agent of the conversation in the field"
                            + " 'agent_id'.");
        }
        return agent;
    }

    private static @Nullable AgentId onlyAgent(Principal principal) {
        Set<AgentId> agents = principal.boundTo().orElse(Set.of());
        return agents.size() == 1 ? agents.iterator().next() : null;
    }

    private TrustLevel trust(TenantId tenant, AgentId agent, @Nullable TrustLevel asked) {
        TrustLevel set = services.trust().apply(tenant, agent).orElse(TrustLevel.GUIDED);
        return asked == null ? set : set.and(asked);
    }

    private @Nullable PolicyBundle session(Caller caller) {
        SessionId id = caller.session();
        if (id == null) {
            return null;
        }
        Session session = services.policies()
                .find(caller.tenant(), id)
                .orElseThrow(() -> HttpFailure.of(
                        ErrorCode.SESSION_NOT_FOUND,
                        Session.notFound(id.value()).message() + "."));
        session.refusal(caller, services.clock().instant()).ifPresent(why -> {
            throw HttpFailure.of(why.code(), why.message() + ".");
        });
        return session.bundle();
    }

    /** The tools offered to the model: only those the agent may use. */
    private List<ToolDefinition> tools(Caller caller, @Nullable PolicyBundle session, @Nullable ToolScope scope) {
        Set<String> granted = Set.copyOf(services.grants().toolsOf(caller.tenant(), caller.agent()));
        return services.catalog().within(caller.tenant(), scope).stream()
                .map(tool -> tool.spec())
                .filter(spec -> granted.contains(spec.name()))
                .filter(spec -> session == null || session.covers(spec))
                .map(spec -> spec.definition())
                .toList();
    }

    private static ChatRequest request(SendRequest wanted, List<ToolDefinition> tools) {
        try {
            List<Message> messages = new ArrayList<>();
            for (ObjectNode earlier : wanted.history() == null ? List.<ObjectNode>of() : wanted.history()) {
                messages.add(MessageJson.read(earlier));
            }
            messages.add(new Message.User(wanted.content()));
            return new ChatRequest(
                    wanted.model(),
                    messages,
                    wanted.maxTokens(),
                    wanted.systemPrompt(),
                    tools,
                    ChatRequest.ToolUse.ALLOWED,
                    wanted.thinkingTokens(),
                    wanted.key());
        } catch (IllegalArgumentException wrong) {
            throw new BadRequest(String.valueOf(wrong.getMessage()));
        }
    }

    private TokenMeter meter(TenantId tenant, @Nullable SessionId session) {
        return session == null ? TokenMeter.inMemory() : new SessionMeter(services.tokens(), tenant, session);
    }
}
