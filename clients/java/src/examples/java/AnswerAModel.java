import dev.toolgate.client.Toolgate;
import dev.toolgate.client.model.ExternalTool;
import dev.toolgate.client.tools.GatedTools;
import dev.toolgate.client.tools.ModelCall;
import dev.toolgate.client.tools.ToolRun;
import java.util.List;
import java.util.Map;

/** The calls of a language model, run by this program under the gate. */
public class AnswerAModel {
    // Prints: call_1: Mailed {"to":"ada"}
    // Prints: call_2: 'example_erase' was not run. Agent 'example_assistant' not permitted to use tool 'example_erase'
    public static void main(String[] arguments) {
        Toolgate toolgate = Toolgate.builder().agent("example_assistant").build();
        toolgate.externalTools().register(ExternalTool.of("example_mail", "Sends a mail.", Map.of("type", "object")));
        toolgate.permissions().allow("example_assistant", "example_mail");
        GatedTools tools = GatedTools.of(toolgate);

        List<ModelCall> calls = List.of(
                new ModelCall("call_1", "example_mail", "{\"to\": \"ada\"}"),
                new ModelCall("call_2", "example_erase", "{}"));
        for (ModelCall call : calls) {
            String told = tools.run(call, permitted -> ToolRun.succeeded("Mailed " + permitted, "mailed"))
                    .map(output -> output, message -> message);
            System.out.println(call.id() + ": " + told);
        }
    }
}
