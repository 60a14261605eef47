package dev.toolgate.docs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.toolgate.core.policy.CapabilityGrant;
import dev.toolgate.core.policy.PolicyBundle;
import dev.toolgate.core.policy.PolicyBundleJson;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class CapabilitiesGuideTest {
    private static final Pattern JSON = Pattern.compile("(?s)```json\n(.*?)```");

    @Test
    void the_example_bundle_is_valid() throws Exception {
        Matcher block = JSON.matcher(Documents.text(Documents.ROOT.resolve("docs/guides/capabilities.md")));
        assertThat(block.find()).isTrue();

        PolicyBundle bundle = PolicyBundleJson.read(block.group(1));

        assertThat(bundle.schemaVersion()).isEqualTo(PolicyBundle.SCHEMA_VERSION);
        assertThat(bundle.capabilities()).extracting(CapabilityGrant::name).contains("File.Read", "Shell.Exec");
    }
}
