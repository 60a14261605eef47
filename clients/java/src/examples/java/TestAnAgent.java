import dev.toolgate.client.Call;
import dev.toolgate.client.Escalation;
import dev.toolgate.client.GatedAgent;
import dev.toolgate.client.Toolgate;
import dev.toolgate.client.testing.MockApprovals;
import dev.toolgate.client.testing.MockToolgate;
import java.util.List;
import java.util.Map;

/** A unit test of an agent, without a gate. */
public class TestAnAgent {
    // Prints: 42 users
    // Prints: escalated, and approved
    public static void main(String[] arguments) {
        try (MockToolgate gate =
                MockToolgate.start(Map.of("frontend", List.of("file_read"), "backend", List.of("database_query")))) {
            gate.returning("database_query", "42 users").holding("database_query", MockApprovals.APPROVED);
            Toolgate client = gate.client("frontend");
            GatedAgent agent = new GatedAgent(client, "frontend", Escalation.to(client, "backend"));

            System.out.println(agent.useCritical(Call.of("database_query")).data());

            gate.assertEscalated("database_query");
            System.out.println("escalated, and approved");
        }
    }
}
