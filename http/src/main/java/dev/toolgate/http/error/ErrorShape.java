package dev.toolgate.http.error;

import tools.jackson.databind.JsonNode;

/** The error format of a dialect. */
@FunctionalInterface
public interface ErrorShape {

    /** The body of an error response. */
    JsonNode error(HttpError error);
}
