/** The language models this server can use, with each tenant's own keys. */
@NullMarked
package dev.toolgate.server.model;

import org.jspecify.annotations.NullMarked;
