package dev.toolgate.bench.decision;

import dev.toolgate.core.call.AgentId;
import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.call.TenantId;
import dev.toolgate.core.call.WorkspaceId;
import dev.toolgate.core.decision.Decision;
import dev.toolgate.core.decision.GrantRule;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.tool.Category;
import dev.toolgate.core.tool.ToolSpec;
import dev.toolgate.server.condition.CelConditions;
import dev.toolgate.store.grant.PostgresGrants;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.stream.IntStream;

/** The grant rule of the gate with grants in PostgreSQL: loaded once, and checked for changes at every query. */
final class ToolgateEngine implements Engine {
    private static final TenantId TENANT = new TenantId("default");

    private final GrantDatabase stored;
    private final PostgresGrants grants;
    private final GrantRule rule;
    private final Call[] calls = new Call[GrantTable.QUESTIONS];
    private final ToolSpec<?>[] tools = new ToolSpec<?>[GrantTable.QUESTIONS];

    private ToolgateEngine(GrantDatabase stored, GrantTable table) {
        this.stored = stored;
        grants = new PostgresGrants(stored.database().connections(), new CelConditions(), Clock.systemUTC());
        rule = new GrantRule(grants, Clock.systemUTC());
        List<ToolSpec<Nothing>> specs = IntStream.range(0, GrantTable.TOOLS)
                .mapToObj(ToolgateEngine::spec)
                .toList();
        for (int question = 0; question < calls.length; question++) {
            tools[question] = specs.get(table.askedTool(question));
            calls[question] = call(table.askedAgent(question), tools[question].name());
        }
        for (int agent = 0; agent < GrantTable.AGENTS; agent++) {
            grants.toolsOf(TENANT, new AgentId(GrantTable.agent(agent)));
        }
    }

    static Engine open(GrantTable table) throws Exception {
        return new ToolgateEngine(GrantDatabase.holding(table, TENANT), table);
    }

    private static Call call(int agent, String tool) {
        Caller caller = Caller.ofAgent(TENANT, new AgentId(GrantTable.agent(agent)), null, new WorkspaceId("bench"));
        return Call.of(caller, tool, Json.MAPPER.createObjectNode());
    }

    private record Nothing() {}

    private static ToolSpec<Nothing> spec(int tool) {
        return ToolSpec.of(GrantTable.tool(tool), Nothing.class, Category.EXEC, "Noop.Run", "Does nothing");
    }

    @Override
    public Object ask(int question) {
        return rule.decide(calls[question], tools[question], null);
    }

    @Override
    public boolean isYes(Object answer) {
        return answer instanceof Decision.Allow;
    }

    @Override
    public void close() throws IOException {
        grants.close();
        stored.close();
    }
}
