package dev.toolgate.cli.client;

import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** A part of a list, and where the next part is. */
record ResponsePage(JsonNode items, Optional<RequestTarget> next) {}
