import dev.toolgate.client.Call;
import dev.toolgate.client.Escalation;
import dev.toolgate.client.GatedAgent;
import dev.toolgate.client.Toolgate;
import dev.toolgate.client.model.Tool;
import java.util.List;

/** An agent that goes on with what it may do, and has another agent do what it needs and may not. */
public class EscalateWhatIsDenied {
    // Prints: I may use [file_list]
    // Prints: listed instead: true
    // Prints: done by a colleague: true
    public static void main(String[] arguments) {
        Toolgate toolgate = Toolgate.fromEnvironment();
        toolgate.permissions().allow("example_frontend", "file_list");
        toolgate.permissions().allow("example_backend", "file_write");

        GatedAgent agent = new GatedAgent(toolgate, "example_frontend", Escalation.to(toolgate, "example_backend"));
        List<String> tools = agent.availableTools().stream().map(Tool::name).toList();
        System.out.println("I may use " + tools);

        Call list = Call.of("bash").with("command", "ls");
        Call instead = Call.of("file_list").with("path", ".");
        System.out.println("listed instead: " + agent.use(list, instead).success());

        Call write = Call.of("file_write").with("path", "escalated.txt").with("content", "hello");
        System.out.println("done by a colleague: " + agent.useCritical(write).success());
        toolgate.permissions().allow("example_backend", "file_delete");
        toolgate.execute(Call.of("file_delete").with("path", "escalated.txt").as("example_backend"));
    }
}
