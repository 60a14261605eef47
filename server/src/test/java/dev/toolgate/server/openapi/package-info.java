/** The API's document against the server it describes. */
@NullMarked
package dev.toolgate.server.openapi;

import org.jspecify.annotations.NullMarked;
