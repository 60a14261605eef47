package dev.toolgate.server.door.mcp;

import dev.toolgate.http.error.BadRequest;
import java.util.Optional;

/** How tools are listed to a client, which chooses it in the URL: {@code /mcp?tools=search}. */
enum ToolListMode {
    /** Every tool that its agent may use. */
    ALL,
    /** One tool that finds tools, and one that calls them. */
    SEARCH;

    /** The query parameter. */
    static final String PARAMETER = "tools";

    static ToolListMode of(Optional<String> word) {
        return switch (word.orElse("all")) {
            case "all" -> ALL;
            case "search" -> SEARCH;
            default -> throw new BadRequest("The query parameter '" + PARAMETER + "' must be all or search.");
        };
    }
}
