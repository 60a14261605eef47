package dev.toolgate.bench.decision;

import com.cedarpolicy.BasicAuthorizationEngine;
import com.cedarpolicy.model.AuthorizationRequest;
import com.cedarpolicy.model.AuthorizationResponse;
import com.cedarpolicy.model.AuthorizationSuccessResponse;
import com.cedarpolicy.model.entity.Entity;
import com.cedarpolicy.model.policy.PolicySet;
import com.cedarpolicy.value.CedarList;
import com.cedarpolicy.value.EntityTypeName;
import com.cedarpolicy.value.EntityUID;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Cedar through its Java binding: policies are parsed once, and each query passes only its own agent. */
final class CedarEngine implements Engine {
    private static final EntityTypeName AGENT = type("Agent");
    private static final EntityUID USE = type("Action").of("use");
    private static final List<EntityUID> TOOLS = names("Tool");
    private static final List<EntityUID> GROUPS = names("Group");

    private final BasicAuthorizationEngine cedar = new BasicAuthorizationEngine();
    private final PolicySet policies;
    private final List<AuthorizationRequest> requests = new ArrayList<>();
    private final List<Set<Entity>> slices = new ArrayList<>();

    private CedarEngine(String policies, GrantTable table, IntFunction<Entity> agent) throws Exception {
        this.policies = PolicySet.parsePolicies(policies);
        this.policies.cache();
        List<Entity> agents =
                IntStream.range(0, GrantTable.AGENTS).mapToObj(agent).toList();
        for (int question = 0; question < GrantTable.QUESTIONS; question++) {
            Entity asking = agents.get(table.askedAgent(question));
            requests.add(
                    new AuthorizationRequest(asking.getEUID(), USE, TOOLS.get(table.askedTool(question)), Map.of()));
            slices.add(Set.of(asking));
        }
    }

    /** One group and one policy per tool; every agent is in the groups of its tools. */
    static Engine groups(GrantTable table) throws Exception {
        String policies = IntStream.range(0, GrantTable.TOOLS)
                .mapToObj(tool ->
                        "permit(principal in " + GROUPS.get(tool) + ", action, resource == " + TOOLS.get(tool) + ");")
                .collect(Collectors.joining("\n"));
        return new CedarEngine(
                policies, table, agent -> new Entity(name(agent), new HashSet<>(granted(table, agent, GROUPS))));
    }

    /** One policy for all; every agent has an attribute with its tools. */
    static Engine attribute(GrantTable table) throws Exception {
        return new CedarEngine(
                "permit(principal, action, resource) when { principal.tools.contains(resource) };",
                table,
                agent -> new Entity(
                        name(agent), Map.of("tools", new CedarList(granted(table, agent, TOOLS))), Set.of()));
    }

    private static <V> List<V> granted(GrantTable table, int agent, List<? extends V> names) {
        return table.granted(agent).<V>mapToObj(names::get).toList();
    }

    private static EntityUID name(int agent) {
        return AGENT.of(GrantTable.agent(agent));
    }

    private static List<EntityUID> names(String type) {
        EntityTypeName name = type(type);
        return IntStream.range(0, GrantTable.TOOLS)
                .mapToObj(tool -> name.of(GrantTable.tool(tool)))
                .toList();
    }

    private static EntityTypeName type(String name) {
        return EntityTypeName.parse(name).orElseThrow();
    }

    @Override
    public Object ask(int question) throws Exception {
        return cedar.isAuthorized(requests.get(question), policies, slices.get(question));
    }

    @Override
    public boolean isYes(Object answer) {
        return answer instanceof AuthorizationResponse response
                && response.success
                        .map(AuthorizationSuccessResponse::isAllowed)
                        .orElseThrow(() -> new IllegalStateException("Cedar did not answer: " + response));
    }
}
