/** The requests and responses of the gate as records. Enumerated values are strings, so that new ones are accepted. */
@NullMarked
package dev.toolgate.client.model;

import org.jspecify.annotations.NullMarked;
