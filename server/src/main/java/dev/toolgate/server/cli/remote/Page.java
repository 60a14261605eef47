package dev.toolgate.server.cli.remote;

import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** A part of a list, and where the next part is. */
record Page(JsonNode items, Optional<Target> next) {}
