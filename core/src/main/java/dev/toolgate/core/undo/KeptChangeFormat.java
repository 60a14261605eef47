package dev.toolgate.core.undo;

import dev.toolgate.core.json.Json;
import dev.toolgate.core.undo.KeptChange.Kept;
import dev.toolgate.core.undo.KeptChange.NotKept;
import dev.toolgate.core.undo.KeptState.Absent;
import dev.toolgate.core.undo.KeptState.Present;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A kept change as bytes: a line of JSON about it, then the content before and after, exactly as it was. */
final class KeptChangeFormat {
    private KeptChangeFormat() {}

    static byte[] write(KeptChange change) {
        ObjectNode header = Json.MAPPER.createObjectNode();
        header.put("tool", change.tool()).put("subject", change.subject().name());
        header.put("target", change.target()).put("place", change.place());
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        switch (change.states()) {
            case NotKept(String why) -> header.put("not_kept", why);
            case Kept(KeptState before, KeptState after) -> {
                describe(header, "before", before, bytes);
                describe(header, "after", after, bytes);
            }
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(header.toString().getBytes(StandardCharsets.UTF_8));
        all.write('\n');
        all.writeBytes(bytes.toByteArray());
        return all.toByteArray();
    }

    private static void describe(ObjectNode header, String name, KeptState state, ByteArrayOutputStream bytes) {
        if (state instanceof Present(byte[] content, int mode)) {
            header.putObject(name).put("size", content.length).put("mode", mode);
            bytes.writeBytes(content);
        }
    }

    static KeptChange read(byte[] bytes) throws IOException {
        int end = 0;
        while (end < bytes.length && bytes[end] != '\n') {
            end++;
        }
        try {
            JsonNode header = Json.MAPPER.readTree(new String(bytes, 0, end, StandardCharsets.UTF_8));
            KeptState before = state(header.path("before"), bytes, end + 1);
            KeptState after = state(header.path("after"), bytes, end + 1 + before.size());
            return new KeptChange(
                    header.path("tool").stringValue(),
                    Subject.valueOf(header.path("subject").stringValue()),
                    header.path("target").stringValue(),
                    header.path("place").stringValue(),
                    header.has("not_kept")
                            ? new NotKept(header.path("not_kept").stringValue())
                            : new Kept(before, after));
        } catch (JacksonException | IllegalArgumentException | ArrayIndexOutOfBoundsException damaged) {
            throw new IOException("A kept change cannot be read.", damaged);
        }
    }

    private static KeptState state(JsonNode about, byte[] bytes, int from) throws IOException {
        if (!about.isObject()) {
            return new Absent();
        }
        int size = about.path("size").intValue();
        if (size < 0 || size > bytes.length - from) {
            throw new IOException("A kept change is incomplete.");
        }
        return new Present(
                Arrays.copyOfRange(bytes, from, from + size), about.path("mode").intValue());
    }
}
