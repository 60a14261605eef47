import dev.toolgate.client.Permit;
import dev.toolgate.client.Toolgate;
import dev.toolgate.client.model.AuditQuery;
import dev.toolgate.client.model.ExternalTool;
import java.util.Map;

/** A tool of this program, behind the gate: decided there, run here, recorded there. */
public class RunAToolYourself {
    // Prints: Deployed to staging
    // Prints: COMPLETED by client
    public static void main(String[] arguments) throws Exception {
        Toolgate toolgate = Toolgate.builder().agent("example_releaser").build();
        toolgate.externalTools()
                .register(ExternalTool.of(
                        "example_deploy",
                        "Deploys the services to a host.",
                        Map.of("type", "object", "properties", Map.of("host", Map.of("type", "string")))));
        toolgate.permissions().allow("example_releaser", "example_deploy");

        try (Permit permit = toolgate.authorize("example_deploy", Map.of("host", "staging"))) {
            String said = permit.run(() -> "Deployed to " + permit.parameters().get("host"));
            System.out.println(said);
            toolgate.audit()
                    .list(AuditQuery.all().request(permit.requestId()))
                    .forEach(record -> System.out.println(record.status() + " by " + record.executedBy()));
        }
    }
}
