/** Tests of the API document against the server. */
@NullMarked
package dev.toolgate.server.openapi;

import org.jspecify.annotations.NullMarked;
