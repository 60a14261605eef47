package dev.toolgate.cli.local;

import dev.toolgate.server.config.HttpSection;
import dev.toolgate.server.config.ServerSettings;
import dev.toolgate.server.identity.AdminKey;
import dev.toolgate.server.wiring.ToolgateServer;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

/** The message after the start of the server: addresses, and commands to try. */
final class StartupBanner {
    private StartupBanner() {}

    static String of(ToolgateServer server, ServerSettings settings) {
        String url = server.url();
        return """
                Toolgate ready at %s%s
                  console  %s/console/
                  API      %s/docs
                  key      %s
                  files    %s

                Try it: paste these lines into another terminal. They grant one tool to an agent, use it,
                try another that was not granted, and show the record of both.

                %s
                """.formatted(
                url,
                alsoOn(server.ports()),
                url,
                url,
                keyPlace(server.adminKey()),
                settings.workspace(),
                tryIt(url, server.adminKey(), settings.http().tls())).stripTrailing();
    }

    private static String alsoOn(List<Integer> ports) {
        return ports.size() < 2
                ? ""
                : ports.stream().skip(1).map(String::valueOf).collect(Collectors.joining(", ", " (and port ", ")"));
    }

    private static String keyPlace(AdminKey.Place place) {
        return switch (place) {
            case AdminKey.Place.InSetting setting -> "the one you set in " + AdminKey.SETTING;
            case AdminKey.Place.InFile file -> file.path().toString();
        };
    }

    private static String tryIt(String url, AdminKey.Place place, HttpSection.Tls tls) {
        String curl = tls.cert() == null ? "curl -s" : "curl -s --cacert " + quoted(tls.cert());
        String bearer =
                switch (place) {
                    case AdminKey.Place.InSetting setting -> "$" + AdminKey.SETTING;
                    case AdminKey.Place.InFile file -> "$(cat " + quoted(file.path()) + ")";
                };
        return """
                TG=%1$s; AUTH="Authorization: Bearer %2$s"; JSON='Content-Type: application/json'
                %3$s -X PUT -H "$AUTH" -H "$JSON" $TG/api/v1/permissions/demo/file_list -d '{"allowed":true,"reason":"try it"}'; echo
                %3$s -H "$AUTH" -H "$JSON" $TG/api/v1/tools/execute -d '{"request_id":"'$(date +%%s)-1'","agent_id":"demo","tool_name":"file_list","operation":"list","parameters":{"path":"."}}'; echo
                %3$s -H "$AUTH" -H "$JSON" $TG/api/v1/tools/execute -d '{"request_id":"'$(date +%%s)-2'","agent_id":"demo","tool_name":"bash","operation":"run","parameters":{"command":"ls"}}'; echo
                %3$s -H "$AUTH" "$TG/api/v1/audit/logs?agent_id=demo&limit=2"; echo""".formatted(url, bearer, curl);
    }

    // Quotes a path for the shell, whatever characters it contains.
    private static String quoted(Path path) {
        return "'" + path.toString().replace("'", "'\\''") + "'";
    }
}
