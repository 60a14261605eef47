package dev.toolgate.mcp.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

class ClientCapabilitiesTest {

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '|',
            value = {
                "|{}|, false, false",
                "|{\"elicitation\": {}}|, true, false",
                "|{\"elicitation\": {\"form\": {}}}|, true, false",
                "|{\"elicitation\": {\"url\": {}}}|, false, true",
                "|{\"elicitation\": {\"form\": {}, \"url\": {}}}|, true, true",
                "|{\"elicitation\": true}|, false, false"
            })
    void tells_which_kinds_of_elicitation_a_client_supports(String declared, boolean forms, boolean urls) {
        ClientCapabilities capabilities =
                new ClientCapabilities((ObjectNode) JsonMapper.shared().readTree(declared));

        assertThat(capabilities.elicitsForms()).isEqualTo(forms);
        assertThat(capabilities.elicitsUrls()).isEqualTo(urls);
    }
}
