import dev.toolgate.client.Call;
import dev.toolgate.client.Toolgate;
import dev.toolgate.client.model.Approval;
import dev.toolgate.client.model.ApprovalEvent;
import dev.toolgate.client.model.Grant;
import dev.toolgate.client.model.ToolResult;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** A call that needs an approval, and a program that answers as requests come in. */
public class AnswerApprovals {
    // Prints: example_held wants file_list
    // Prints: Approved and run: true
    public static void main(String[] arguments) {
        Toolgate toolgate = Toolgate.builder().agent("example_held").build();
        toolgate.permissions()
                .allow("example_held", "file_list", Grant.allowed().withApproval());

        try (Stream<ApprovalEvent> events = toolgate.approvals().stream()) {
            CompletableFuture<ToolResult> listing =
                    toolgate.executeAsync(Call.of("file_list").with("path", "."));
            Approval asked = events.map(ApprovalEvent::approval)
                    .filter(approval -> approval != null && approval.agentId().equals("example_held"))
                    .findFirst()
                    .orElseThrow();
            System.out.println(asked.agentId() + " wants " + asked.toolName());
            toolgate.approvals().approve(asked.approvalId(), "only lists files");

            System.out.println("Approved and run: " + listing.join().success());
        }
    }
}
