import dev.toolgate.client.AuthenticationException;
import dev.toolgate.client.Toolgate;
import dev.toolgate.client.model.AuditQuery;
import dev.toolgate.client.model.Grant;
import dev.toolgate.client.model.MadeKey;
import dev.toolgate.client.model.NewAgent;
import dev.toolgate.client.model.NewKey;
import java.util.Map;

/** Agents, permissions, keys and the audit log. */
public class Administer {
    // Prints: may read secrets.env: false
    // Prints: on record: bash REFUSED
    // Prints: revoked: UNAUTHORIZED
    public static void main(String[] arguments) {
        Toolgate admin = Toolgate.fromEnvironment();
        admin.agents().create(NewAgent.of("example_managed").named("Managed").because("an example"));
        admin.permissions()
                .allow(
                        "example_managed",
                        "file_read",
                        Grant.allowed().onlyIf("params.path.startsWith('src/')").forCalls(100));
        MadeKey key = admin.keys().create(NewKey.forAgent("example_managed").expiringIn("1d"));

        Toolgate agent =
                Toolgate.builder().key(key.key()).agent("example_managed").build();
        System.out.println("may read secrets.env: "
                + agent.validate("file_read", Map.of("path", "secrets.env")).allowed());
        agent.submit("bash", Map.of("command", "ls"));
        admin.audit()
                .list(AuditQuery.all().agent("example_managed").onlyRefused())
                .forEach(record -> System.out.println("on record: " + record.toolName() + " " + record.status()));

        admin.keys().revoke(key.info().keyId(), "the example has ended");
        try {
            agent.tools();
        } catch (AuthenticationException refused) {
            System.out.println("revoked: " + refused.code());
        }
        admin.agents().delete("example_managed", "the example has ended");
    }
}
