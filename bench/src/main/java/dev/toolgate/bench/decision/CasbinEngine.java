package dev.toolgate.bench.decision;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.casbin.jcasbin.main.CachedEnforcer;
import org.casbin.jcasbin.main.Enforcer;
import org.casbin.jcasbin.model.Model;

/** jCasbin with the models of its documentation: an access list, and roles. */
final class CasbinEngine implements Engine {
    private static final String LIST = """
            [request_definition]
            r = sub, obj
            [policy_definition]
            p = sub, obj
            [policy_effect]
            e = some(where (p.eft == allow))
            [matchers]
            m = r.sub == p.sub && r.obj == p.obj
            """;

    // The cheap comparison comes first, so that roles are looked up once per query and not a hundred times.
    private static final String ROLES = """
            [request_definition]
            r = sub, obj
            [policy_definition]
            p = sub, obj
            [role_definition]
            g = _, _
            [policy_effect]
            e = some(where (p.eft == allow))
            [matchers]
            m = r.obj == p.obj && g(r.sub, p.sub)
            """;

    private final Enforcer enforcer;
    private final Object[][] questions = new Object[GrantTable.QUESTIONS][];

    private CasbinEngine(Enforcer enforcer, GrantTable table) {
        this.enforcer = enforcer;
        for (int question = 0; question < questions.length; question++) {
            questions[question] = new Object[] {
                GrantTable.agent(table.askedAgent(question)), GrantTable.tool(table.askedTool(question))
            };
        }
    }

    /** One policy per grant. */
    static Engine list(GrantTable table) {
        Enforcer enforcer = new Enforcer(model(LIST));
        enforcer.addPolicies(everyGrant(table, ""));
        return new CasbinEngine(enforcer, table);
    }

    /** One role and one policy per tool; every agent has the roles of its tools. */
    static Engine roles(GrantTable table) {
        return new CasbinEngine(withRoles(new Enforcer(model(ROLES)), table), table);
    }

    /** The same with a warm cache, which stores only positive answers; a negative one is evaluated each time. */
    static Engine cached(GrantTable table) {
        CasbinEngine engine = new CasbinEngine(withRoles(new CachedEnforcer(model(ROLES)), table), table);
        for (int question = 0; question < GrantTable.QUESTIONS; question++) {
            engine.ask(question);
        }
        return engine;
    }

    private static Enforcer withRoles(Enforcer enforcer, GrantTable table) {
        enforcer.addPolicies(IntStream.range(0, GrantTable.TOOLS)
                .mapToObj(GrantTable::tool)
                .map(tool -> List.of("may-use-" + tool, tool))
                .toList());
        enforcer.addGroupingPolicies(everyGrant(table, "may-use-"));
        return enforcer;
    }

    private static List<List<String>> everyGrant(GrantTable table, String prefix) {
        List<List<String>> rules = new ArrayList<>();
        for (int agent = 0; agent < GrantTable.AGENTS; agent++) {
            String name = GrantTable.agent(agent);
            table.granted(agent).forEach(tool -> rules.add(List.of(name, prefix + GrantTable.tool(tool))));
        }
        return rules;
    }

    private static Model model(String text) {
        Model model = new Model();
        model.loadModelFromText(text);
        return model;
    }

    @Override
    public Object ask(int question) {
        return enforcer.enforce(questions[question]);
    }

    @Override
    public boolean isYes(Object answer) {
        return answer.equals(true);
    }
}
