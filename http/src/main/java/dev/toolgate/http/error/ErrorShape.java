package dev.toolgate.http.error;

import tools.jackson.databind.JsonNode;

/** How a dialect writes errors. */
@FunctionalInterface
public interface ErrorShape {

    /** The body of an error answer. */
    JsonNode error(HttpError error);
}
