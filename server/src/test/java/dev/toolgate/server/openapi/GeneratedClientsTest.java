package dev.toolgate.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.server.mcpclient.InstalledClients;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Client generators understand the document, and the generated clients compile. */
class GeneratedClientsTest {
    private static final Path GENERATOR = Path.of("target/client-generator").toAbsolutePath();

    @TempDir
    private Path folder;

    private Path document;

    @BeforeEach
    void write() throws IOException {
        document = folder.resolve("openapi.json");
        Files.writeString(document, ApiDocument.read("1.2.3").toString());
    }

    @Test
    void a_python_client_can_be_generated_and_imported() throws Exception {
        Path python = InstalledClients.python("openapi-python").resolve("venv/bin/python");
        String said = run(
                python.toString(),
                "-m",
                "openapi_python_client",
                "generate",
                "--path",
                document.toString(),
                "--output-path",
                folder.resolve("client").toString());

        // Its only limits: media types that it does not know are left out.
        assertThat(said.lines().filter(line -> line.contains("will not be generated")))
                .isEmpty();
        assertThat(run(python.toString(), "-c", """
                import importlib, pkgutil, sys
                sys.path.insert(0, sys.argv[1])
                import toolgate_client
                names = [each.name for each in pkgutil.walk_packages(toolgate_client.__path__, "toolgate_client.")]
                for name in names:
                    importlib.import_module(name)
                from toolgate_client.models import AllowedCall, ChatTextDeltaMessage, DeniedCall, ErrorBody, GroupDetails
                delta = ChatTextDeltaMessage.from_dict({"type": "chat:text-delta", "timestamp": "2026-01-01T00:00:00Z",
                    "payload": {"conversation_id": "c", "message_id": "m", "content": "Hello", "index": 0}})
                assert delta.payload.content == "Hello"
                call = AllowedCall.from_dict({"status": "allowed", "outcome": "completed", "request_id": "r",
                    "result": {"success": True, "data": "x"}, "logged": True})
                assert call.result.data == "x"
                assert "members" in GroupDetails.__annotations__ and "group_id" in GroupDetails.__annotations__
                print(len(names), "modules")
                """, folder.resolve("client").toString()))
                .endsWith(" modules\n");
    }

    @Test
    void a_java_client_can_be_generated_and_compiled() throws Exception {
        Path client = folder.resolve("client");
        String generator = GENERATOR.resolve("openapi-generator.jar").toString();
        run(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-jar",
                generator,
                "generate",
                "--input-spec",
                document.toString(),
                "--generator-name",
                "java",
                "--library",
                "native",
                "--output",
                client.toString(),
                "--additional-properties=openApiNullable=false,useJakartaEe=true",
                "--global-property=apiTests=false,modelTests=false,apiDocs=false,modelDocs=false");

        List<String> arguments = new ArrayList<>(List.of(
                "-nowarn",
                "-proc:none",
                "-d",
                folder.resolve("classes").toString(),
                "-classpath",
                generator + java.io.File.pathSeparator + GENERATOR.resolve("annotations.jar")));
        try (Stream<Path> sources = Files.walk(client)) {
            sources.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(arguments::add);
        }
        Path said = folder.resolve("javac.txt");
        try (var output = Files.newOutputStream(said)) {
            int status =
                    ToolProvider.getSystemJavaCompiler().run(null, output, output, arguments.toArray(String[]::new));
            assertThat(status).as(Files.readString(said)).isZero();
        }
        assertThat(folder.resolve("classes/org/openapitools/client/model"))
                .isDirectoryContaining("glob:**CallOutcome.class")
                .isDirectoryContaining("glob:**ErrorBody.class")
                .isDirectoryContaining("glob:**ChatServerMessage.class")
                .isDirectoryContaining("glob:**AuditStreamEvent.class")
                .as("schemas without a name")
                .isDirectoryNotContaining("glob:**{Inner,InlineObject,200Response,OneOf,AnyOf}*.class");
    }

    @Test
    void typescript_distinguishes_outcomes_events_and_messages() throws Exception {
        Path types = InstalledClients.npm("openapi-typescript");
        run(
                InstalledClients.node(),
                types.resolve("node_modules/openapi-typescript/bin/cli.js").toString(),
                document.toString(),
                "--output",
                folder.resolve("schema.d.ts").toString());
        Path program = folder.resolve("program.ts");
        Files.writeString(program, """
                import type { components } from './schema';

                type Outcome = components['schemas']['CallOutcome'];

                export function text(call: Outcome): string {
                  switch (call.outcome) {
                    case 'completed':
                      return call.result.data;
                    case 'failed':
                      return call.result.error.message;
                    case 'refused':
                      return call.suggestion;
                    case 'authorized':
                      return call.permit_expires_at;
                    case 'pending':
                    case 'running':
                      return call.request_id;
                    default: {
                      const never: never = call;
                      return never;
                    }
                  }
                }

                export function asked(event: components['schemas']['ApprovalStreamEvent']): string {
                  return event.event === 'cut' ? event.data : event.data.approval_id;
                }

                export function said(message: components['schemas']['ChatServerMessage']): string | null {
                  switch (message.type) {
                    case 'connection:status':
                      return message.payload.version;
                    case 'chat:stream-start':
                      return message.payload.model;
                    case 'chat:text-delta':
                    case 'chat:thinking-delta':
                      return message.payload.content;
                    case 'chat:tool-confirm':
                      return message.payload.preview;
                    case 'chat:tool-start':
                      return message.payload.toolName;
                    case 'chat:tool-delta':
                      return message.payload.chunk;
                    case 'chat:tool-result':
                      return message.payload.result;
                    case 'chat:stream-end':
                      return message.payload.stop_reason;
                    case 'chat:error':
                      return message.payload.code;
                    default: {
                      const never: never = message;
                      return never;
                    }
                  }
                }
                """);

        assertThat(run(
                        InstalledClients.node(),
                        types.resolve("node_modules/typescript/bin/tsc").toString(),
                        "--strict",
                        "--noEmit",
                        "--skipLibCheck",
                        "false",
                        program.toString()))
                .isEmpty();
    }

    private String run(String... command) throws Exception {
        Path output = Files.createTempFile(folder, "output", ".txt");
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES))
                    .as("ended: %s", command[0])
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        String said = Files.readString(output);
        assertThat(process.exitValue()).as(said).isZero();
        return said;
    }
}
