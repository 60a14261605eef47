package dev.toolgate.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import dev.toolgate.core.call.Output;
import dev.toolgate.core.identity.Principal;
import dev.toolgate.http.events.AuthorizedFeed;
import dev.toolgate.http.events.EventSender;
import dev.toolgate.http.events.EventType;
import dev.toolgate.http.events.LiveFeed;
import dev.toolgate.server.Client;
import dev.toolgate.server.LiveStream;
import dev.toolgate.server.RunningServer;
import dev.toolgate.server.operate.SayTool;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** Streams send exactly the documented types of events. {@link LiveStream} checks every event. */
class StreamEventsTest {
    private static final String CUT = "cut";
    private static final String AUDIT = "/api/v1/audit/stream";
    private static final String APPROVALS = "/api/v1/approvals/stream";
    private static final String CONSOLE = "/api/v1/console/events";

    @TempDir
    private Path home;

    @Test
    void every_type_in_the_code_has_a_schema_and_every_schema_a_type() {
        Map<String, Set<String>> inCode = new TreeMap<>();
        for (JavaClass type : new ClassFileImporter().importPackages("dev.toolgate.server", "dev.toolgate.http")) {
            if (type.isEnum() && type.isAssignableTo(EventType.class)) {
                inCode.put(type.getSimpleName(), names(type.reflect()));
            }
        }
        Set<String> ofAnyFeed = inCode.remove("StreamEnd");
        Map<String, Set<String>> inDocument = new TreeMap<>();
        for (String schema : Contract.of(ApiDocument.read("1.2.3"))
                .document()
                .at("/components/schemas")
                .propertyNames()) {
            Set<String> types = DocumentedEvents.types(schema);
            if (schema.endsWith("StreamEvent") && !types.isEmpty()) {
                types.remove(CUT);
                inDocument.put(schema + "Type", types);
            }
        }

        assertThat(inCode).isEqualTo(inDocument).hasSize(4);
        assertThat(ofAnyFeed).containsExactly(CUT);
    }

    private static Set<String> names(Class<?> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(each -> ((EventType) each).wireName())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void every_event_of_a_real_server_is_as_documented() throws Exception {
        try (RunningServer server = RunningServer.start(home, Map.of(), new SayTool(Output::text))) {
            Client admin = server.admin();
            admin.put("/api/v1/permissions/held/say", "{\"allowed\": true, \"requires_approval\": true}");
            try (LiveStream audit = LiveStream.open(admin, AUDIT);
                    LiveStream approvals = LiveStream.open(admin, APPROVALS);
                    LiveStream console = LiveStream.open(admin.with("Last-Event-ID", "1000000"), CONSOLE)) {
                String state = event(console, "health");
                String approval = admin.with("Prefer", "respond-async")
                        .post("/api/v1/tools/execute", """
                                {"request_id": "held-1", "agent_id": "held", "tool_name": "say", "operation": "x",
                                 "parameters": {"text": "hi"}}""")
                        .json()
                        .path("approval_id")
                        .asString();
                admin.post("/api/v1/approvals/" + approval, "{\"approved\": true}");

                assertSent("AuditStreamEvent", event(audit, "record"));
                assertSent("ApprovalStreamEvent", event(approvals, "answered"));
                assertSent("ConsoleStreamEvent", state + event(console, "approval_answered"));
            }
        }
    }

    @Test
    void a_client_that_reads_too_slowly_gets_the_documented_event() throws Exception {
        StringBuilder sent = new StringBuilder();

        new AuthorizedFeed<>(new Overflowing(), Optional::empty).run((_, type, data) -> sent.append("event: ")
                .append(type == null ? "" : type.wireName())
                .append("\ndata: ")
                .append(data)
                .append("\n\n"));

        assertThat(sent).contains("event: cut");
        for (String path : Set.of(AUDIT, APPROVALS, CONSOLE)) {
            DocumentedEvents.check("GET", path, sent.toString());
        }
    }

    private static String event(LiveStream stream, String type) throws IOException {
        return stream.readUntil("event: " + type + "\n") + stream.readUntil("\n\n");
    }

    private static void assertSent(String schema, String events) {
        Set<String> all = DocumentedEvents.types(schema);
        all.remove(CUT); // only clients that read too slowly get it
        assertThat(DocumentedEvents.parsed(events).stream().map(StreamEventsTest::type))
                .containsAll(all);
    }

    private static String type(ObjectNode event) {
        return event.path("event").asString();
    }

    /** A feed whose client has missed events. */
    private record Overflowing() implements LiveFeed<String> {
        @Override
        public Optional<String> next(Duration timeout) throws SlowConsumer {
            throw new SlowConsumer(new IOException("You read too slowly; connect again."));
        }

        @Override
        public boolean isFor(Principal reader, String event) {
            return true;
        }

        @Override
        public void send(String event, EventSender client) {}

        @Override
        public void close() {}
    }
}
