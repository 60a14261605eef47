package dev.toolgate.cli.client;

import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** A page of a list and the link to the next one. */
record ResponsePage(JsonNode items, Optional<RequestTarget> next) {}
