/** The OpenAPI document of the server, and a page to try the API. */
@NullMarked
package dev.toolgate.server.openapi;

import org.jspecify.annotations.NullMarked;
