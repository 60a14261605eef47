import dev.toolgate.client.Toolgate;
import dev.toolgate.client.model.Artifact;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Stores a file and gets it back. */
public class StoreArtifacts {
    // Prints: report.csv text/csv 8 bytes
    // Prints: a,b
    public static void main(String[] arguments) throws IOException {
        Toolgate toolgate = Toolgate.fromEnvironment();
        byte[] report = "a,b\n1,2\n".getBytes(StandardCharsets.UTF_8);
        Artifact stored = toolgate.artifacts().upload("default", "report.csv", "text/csv", report);
        System.out.println(stored.name() + " " + stored.mediaType() + " " + stored.size() + " bytes");

        Path copy = Files.createTempFile("report", ".csv");
        toolgate.artifacts().download("default", stored.id(), copy);
        System.out.print(Files.readString(copy));
        Files.delete(copy);
        toolgate.artifacts().delete("default", stored.id());
    }
}
