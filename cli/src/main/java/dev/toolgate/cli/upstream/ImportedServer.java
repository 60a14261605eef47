package dev.toolgate.cli.upstream;

import dev.toolgate.core.json.Json;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A server as another program's file describes it.
 *
 * @param environment values as in the file: plain, or a placeholder for a secret
 * @param headers the same
 * @param egress hosts that the command needs to start
 * @param problem why it cannot be used; null if it can
 */
record ImportedServer(
        String name,
        @Nullable String url,
        List<String> command,
        Map<String, String> environment,
        Map<String, String> headers,
        List<String> egress,
        @Nullable String problem) {
    /** {@code ${NAME}}, {@code ${env:NAME}} and {@code ${input:name}}; a default after {@code :-} is left out. */
    private static final Pattern PLACEHOLDER =
            Pattern.compile("\\$\\{(?:env:|input:)?([A-Za-z0-9_.-]{1,100}?)(?::-[^}]*)?}");

    private static final Pattern SCHEME_AND_PLACEHOLDER =
            Pattern.compile("(?:([A-Za-z0-9_-]{1,32}) )?(" + PLACEHOLDER.pattern() + ")");

    static ImportedServer unusable(String name, String problem) {
        return new ImportedServer(name, null, List.of(), Map.of(), Map.of(), List.of(), problem);
    }

    /** The request that adds it. */
    ObjectNode body(List<String> moreEgress) throws ImportProblem {
        if (problem != null) {
            throw new ImportProblem(problem);
        }
        ObjectNode body = Json.MAPPER.createObjectNode().put("name", plainName());
        if (url != null) {
            require(!url.contains("${"), "its URL has a placeholder; write the address itself");
            body.put("url", url);
            credentials(body);
        } else {
            for (String word : command) {
                require(!word.contains("${"), "an argument has a placeholder; give secrets in env instead");
            }
            command.forEach(body.putArray("command")::add);
            variables(body);
            if (!egress.isEmpty() || !moreEgress.isEmpty()) {
                ArrayNode hosts = body.putArray("egress");
                egress.forEach(hosts::add);
                moreEgress.forEach(hosts::add);
            }
        }
        return body;
    }

    private void credentials(ObjectNode body) throws ImportProblem {
        require(headers.size() <= 1, "it has more than one header; only one with a secret is supported");
        for (Map.Entry<String, String> header : headers.entrySet()) {
            Matcher value = SCHEME_AND_PLACEHOLDER.matcher(header.getValue());
            require(
                    value.matches(),
                    "the header " + header.getKey()
                            + " has its value in clear; put it among the secrets of the gate, and"
                            + " its name into the file as ${NAME}");
            ObjectNode credentials = body.putObject("credentials").put("kind", "header");
            credentials.put("secret", value.group(3));
            if (!header.getKey().equalsIgnoreCase("Authorization")) {
                credentials.put("header", header.getKey());
            }
            if (value.group(1) != null) {
                credentials.put("scheme", value.group(1));
            }
        }
    }

    private void variables(ObjectNode body) throws ImportProblem {
        Map<String, String> plain = new TreeMap<>();
        Map<String, String> secrets = new TreeMap<>();
        for (Map.Entry<String, String> variable : environment.entrySet()) {
            Matcher whole = PLACEHOLDER.matcher(variable.getValue());
            if (whole.matches()) {
                secrets.put(variable.getKey(), whole.group(1));
            } else {
                require(
                        !variable.getValue().contains("${"),
                        "the variable " + variable.getKey()
                                + " has a placeholder within its value, which is not supported");
                plain.put(variable.getKey(), variable.getValue());
            }
        }
        if (!plain.isEmpty()) {
            plain.forEach(body.putObject("environment")::put);
        }
        if (!secrets.isEmpty()) {
            secrets.forEach(body.putObject("secrets")::put);
        }
    }

    /** The name with characters that names of servers can have; of {@code io.github.user/weather} the last part. */
    private String plainName() throws ImportProblem {
        String plain = name.substring(name.lastIndexOf('/') + 1)
                .replaceAll("[^A-Za-z0-9_-]+", "-")
                .replaceAll("_{2,}", "_")
                .replaceAll("^[_-]+|[_-]+$", "");
        require(!plain.isEmpty(), "its name has no letter or digit");
        return plain.length() <= 32 ? plain : plain.substring(0, 32).replaceAll("[_-]+$", "");
    }

    private static void require(boolean holds, String otherwise) throws ImportProblem {
        if (!holds) {
            throw new ImportProblem(otherwise);
        }
    }
}
