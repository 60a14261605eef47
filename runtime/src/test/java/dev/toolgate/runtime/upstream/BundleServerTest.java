package dev.toolgate.runtime.upstream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.core.json.Json;
import dev.toolgate.core.policy.McpServer;
import dev.toolgate.mcp.client.http.EndpointCheck;
import dev.toolgate.mcp.client.transport.McpFailure;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BundleServerTest {
    private static McpServer server(String url, String auth) {
        return new McpServer("docs", url, Json.MAPPER.readTree(auth), List.of("search"));
    }

    private static Map<String, String> headers(String auth) throws McpFailure {
        UpstreamEndpoint.Remote remote = (UpstreamEndpoint.Remote)
                UpstreamSettings.of(server("https://docs.example/mcp", auth)).endpoint();
        assertThat(remote.check()).isEqualTo(EndpointCheck.TLS_ONLY);
        return remote.authorization().headers();
    }

    @Test
    void an_entry_has_credentials_and_a_list_of_tools() throws Exception {
        assertThat(headers("{\"type\": \"bearer\", \"token\": \"t\"}")).containsEntry("Authorization", "Bearer t");
        assertThat(headers("{\"type\": \"header\", \"header\": \"X-Key\", \"value\": \"v\"}"))
                .containsEntry("X-Key", "v");
        assertThat(headers("null")).isEmpty();
        UpstreamSettings settings = UpstreamSettings.of(server("https://docs.example/mcp", "null"));
        assertThat(settings.allows("search")).isTrue();
        assertThat(settings.allows("delete")).isFalse();
    }

    @Test
    void unknown_credentials_and_urls_are_refused_without_the_secret() {
        assertThatThrownBy(() -> headers("{\"type\": \"magic\", \"token\": \"s3cret\"}"))
                .hasMessageContaining("must be")
                .hasMessageNotContaining("s3cret");
        assertThatThrownBy(() -> UpstreamSettings.of(server("not a url", "null")))
                .hasMessage("The URL of MCP server 'docs' is not valid.");
    }
}
