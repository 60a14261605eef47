import dev.toolgate.client.Call;
import dev.toolgate.client.DeniedException;
import dev.toolgate.client.Outcome;
import dev.toolgate.client.Toolgate;
import dev.toolgate.client.model.ToolResult;
import java.util.Map;

/** Calls a tool: with an exception for a refusal, and with the outcome as a value. */
public class CallATool {
    // Prints: Listed: true
    // Prints: Instead, use [file_list].
    // Prints: Refused: permission_denied
    public static void main(String[] arguments) {
        Toolgate toolgate = Toolgate.builder().agent("example_caller").build();
        toolgate.permissions().allow("example_caller", "file_list");

        ToolResult listed = toolgate.execute("file_list", Map.of("path", "."));
        System.out.println("Listed: " + listed.success());

        try {
            toolgate.execute("bash", Map.of("command", "ls"));
        } catch (DeniedException denied) {
            System.out.println("Instead, use " + denied.allowedTools() + ".");
        }

        Outcome outcome = toolgate.submit(Call.of("bash").with("command", "ls"));
        if (outcome instanceof Outcome.Completed completed) {
            System.out.println(completed.result().data());
        } else if (outcome instanceof Outcome.Failed failed) {
            System.out.println(failed.error().remediation());
        } else if (outcome instanceof Outcome.Denied denied) {
            System.out.println("Refused: " + denied.violationType());
        } else if (outcome instanceof Outcome.Pending pending) {
            System.out.println("Waits for approval " + pending.approvalId());
        }
    }
}
