package dev.toolgate.server.door.chat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.server.openapi.DocumentedEvents;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class MessageTypesTest {
    @Test
    void every_message_of_the_server_has_a_schema_and_every_schema_a_message() {
        assertThat(Arrays.stream(ServerMessageType.values()).map(ServerMessageType::wireName))
                .containsExactlyInAnyOrderElementsOf(DocumentedEvents.types("ChatServerMessage"));
    }

    @Test
    void every_message_of_a_client_has_a_schema_and_every_schema_a_message() {
        assertThat(Arrays.stream(ClientMessageType.values()).map(ClientMessageType::wireName))
                .containsExactlyInAnyOrderElementsOf(DocumentedEvents.types("ChatClientMessage"));
    }
}
