/** The language models this server can ask, with each tenant's own keys. */
@NullMarked
package dev.toolgate.server.model;

import org.jspecify.annotations.NullMarked;
