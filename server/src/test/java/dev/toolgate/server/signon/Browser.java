package dev.toolgate.server.signon;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A headless browser: keeps cookies, follows redirects one by one, and fills in forms. */
final class Browser {
    private static final Pattern FORM =
            Pattern.compile("<form[^>]*action=\"([^\"]+)\"[^>]*>(.*?)</form>", Pattern.DOTALL);
    private static final Pattern INPUT = Pattern.compile("<(?:input|button)[^>]*name=\"([^\"]+)\"([^>]*)>");
    private static final Pattern VALUE = Pattern.compile("value=\"([^\"]*)\"");

    private static final Pattern EXPIRED = Pattern.compile("(?i)(max-age=0|expires=thu, 01 jan 1970).*");

    /** Kept here because Java's cookie handler sends values in quotes. */
    private final List<Cookie> cookies = new ArrayList<>();

    private final HttpClient http = HttpClient.newBuilder()
            .followRedirects(HttpClient.Redirect.NEVER)
            .version(HttpClient.Version.HTTP_1_1)
            .build();

    private record Cookie(String host, String path, String name, String value) {}

    /** A response and its address. */
    record Page(URI address, HttpResponse<String> response) {
        int status() {
            return response.statusCode();
        }

        String text() {
            return response.body();
        }

        /** The target of the redirect. */
        URI location() {
            return address.resolve(response.headers().firstValue("Location").orElseThrow());
        }

        boolean isRedirect() {
            return status() >= 300 && status() < 400;
        }

        @Override
        public String toString() {
            return status() + " " + address + " " + response.headers().map().get("location") + " " + text();
        }
    }

    Page open(URI address) {
        return send(HttpRequest.newBuilder(address).GET());
    }

    /** Follows redirects until one leads to an address that starts with a text. */
    Page follow(Page page, String until) {
        Page current = page;
        for (int i = 0; i < 20 && current.isRedirect(); i++) {
            if (current.location().toString().startsWith(until)) {
                return current;
            }
            current = open(current.location());
        }
        return current;
    }

    /** Submits the form of a page, with its own values and these. */
    Page submit(Page page, Map<String, String> values) {
        Matcher form = FORM.matcher(page.text());
        if (!form.find()) {
            throw new IllegalStateException("There is no form: " + page);
        }
        Map<String, String> fields = new LinkedHashMap<>();
        Matcher input = INPUT.matcher(form.group(2));
        while (input.find()) {
            Matcher value = VALUE.matcher(input.group(2));
            fields.put(input.group(1), value.find() ? value.group(1) : "");
        }
        fields.putAll(values);
        String body = fields.entrySet().stream()
                .map(each -> encoded(each.getKey()) + "=" + encoded(each.getValue()))
                .collect(Collectors.joining("&"));
        return send(HttpRequest.newBuilder(page.address().resolve(form.group(1)))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(BodyPublishers.ofString(body)));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private Page send(HttpRequest.Builder request) {
        try {
            URI place = request.build().uri();
            String sent = cookies.stream()
                    .filter(cookie -> cookie.host().equals(place.getHost())
                            && place.getPath().startsWith(cookie.path()))
                    .map(cookie -> cookie.name() + "=" + cookie.value())
                    .collect(Collectors.joining("; "));
            if (!sent.isEmpty()) {
                request.header("Cookie", sent);
            }
            HttpRequest built = request.timeout(Duration.ofMinutes(1)).build();
            HttpResponse<String> response = http.send(built, BodyHandlers.ofString());
            response.headers().allValues("Set-Cookie").forEach(line -> keep(place, line));
            return new Page(place, response);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    private void keep(URI place, String line) {
        String[] parts = line.split("; *", -1);
        int equals = parts[0].indexOf('=');
        String name = parts[0].substring(0, equals);
        String path = Arrays.stream(parts)
                .filter(part -> part.toLowerCase(Locale.ROOT).startsWith("path="))
                .map(part -> part.substring(5))
                .findFirst()
                .orElse("/");
        String host = Objects.requireNonNull(place.getHost());
        cookies.removeIf(cookie -> cookie.host().equals(host)
                && cookie.path().equals(path)
                && cookie.name().equals(name));
        if (Arrays.stream(parts).noneMatch(part -> EXPIRED.matcher(part).matches())) {
            cookies.add(new Cookie(host, path, name, parts[0].substring(equals + 1)));
        }
    }

    /** The value of a cookie. */
    Optional<String> cookie(String name) {
        return cookies.stream()
                .filter(cookie -> cookie.name().equals(name))
                .map(Cookie::value)
                .findFirst();
    }

    /** Plants a cookie, as another site on a neighbouring host could. */
    void plant(URI address, String name, String value) {
        cookies.add(new Cookie(Objects.requireNonNull(address.getHost()), "/", name, value));
    }
}
