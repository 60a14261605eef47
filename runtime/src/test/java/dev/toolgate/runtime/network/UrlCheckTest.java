package dev.toolgate.runtime.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.toolgate.core.call.ErrorCode;
import dev.toolgate.core.policy.DomainPatterns;
import dev.toolgate.core.tool.ToolFailure;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UrlCheckTest {

    @ParameterizedTest
    @CsvSource({
        "http://example.com, http://example.com/",
        "HTTPS://EXAMPLE.com./a?b=c#d, https://example.com/a?b=c",
        "http://example.com:8080//x/../y, http://example.com:8080//x/../y",
        "http://a_b.example/ü?ö, http://a_b.example/%C3%BC?%C3%B6",
        "http://bücher.example/, http://xn--bcher-kva.example/",
        "http://[2001:DB8::1]/, http://[2001:db8:0:0:0:0:0:1]/",
        "http://0x8.010.2056/, http://8.8.8.8/",
        "http://134744072/, http://8.8.8.8/",
    })
    void parses_unambiguous_urls(String url, String parts) throws ToolFailure {
        assertThat(UrlCheck.parse(url)).hasToString(parts);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "example.com",
                "//example.com/",
                "http:example.com",
                "http://",
                "http:///path",
                "http://:80/",
                "file:///etc/passwd",
                "ftp://example.com/",
                "gopher://example.com/",
                "javascript:alert(1)",
                "jar:http://example.com!/",
                "http://user@example.com/",
                "http://user:hunter2@example.com/",
                "http://example.com@127.0.0.1/",
                "http://example.com\\@127.0.0.1/",
                "http://exa mple.com/",
                "http://example.com/\r\nX: y",
                "http://%31%32%37.0.0.1/",
                "http://127.0.0.1%2f@example.com/",
                "http://[fe80::1%25eth0]/",
                "http://[fe80::1%eth0]/",
                "http://[127.0.0.1]/",
                "http://[::1/",
                "http://[::1]x/",
                "http://::1/",
                "http://1.2.3.4.5/",
                "http://256.1.1.1/",
                "http://127.0.0.08/",
                "http://4294967296/",
                "http://0x100000000/",
                "http://99999999999999999999/",
                "http://a..b/",
                "http://a../",
                "http://-a.example/",
                "http://example.com:0/",
                "http://example.com:65536/",
                "http://example.com:-1/",
                "http://example.com:+80/",
                "http://example.com:８０/",
                "http://example.com:/",
                "http://a℀b.example/",
                "http://example.com/%zz",
                "http://example.com/a\0b",
            })
    void refuses_ambiguous_urls(String url) {
        ToolFailure failure = catchThrowableOfType(ToolFailure.class, () -> UrlCheck.parse(url));
        assertThat(failure.failure().code()).isEqualTo(ErrorCode.INVALID_REQUEST);
        assertThat(failure.failure().message()).startsWith("The URL ").doesNotContain("hunter2");
    }

    @Test
    void refuses_a_url_or_a_name_that_is_too_long() {
        for (String url : new String[] {"http://e.com/" + "a".repeat(9000), "http://" + "a.".repeat(200) + "com/"}) {
            assertThat(catchThrowableOfType(ToolFailure.class, () -> UrlCheck.parse(url)))
                    .hasMessageStartingWith("The URL ");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "/b, http://example.com/b",
        "c?d, http://example.com/x/c?d",
        "//other.example/e, http://other.example/e",
        "https://example.com/f, https://example.com/f",
    })
    void resolves_a_location_as_in_the_standard(String location, String parts) throws ToolFailure {
        assertThat(UrlCheck.follow(UrlCheck.parse("http://example.com/x/y"), location))
                .hasToString(parts);
    }

    @ParameterizedTest
    @CsvSource({
        "api.example.com, true",
        "example.org, true",
        "a.b.example.org, false",
        "a.b.example.com, true",
        "example.com, false",
        "evilexample.com, false",
        "example.com.evil.net, false",
    })
    void a_domain_list_matches_whole_names(String host, boolean allowed) {
        assertThat(new DomainPatterns(List.of("*.Example.com", "example.org.")).contains(host))
                .isEqualTo(allowed);
    }
}
