/** The tool access API: execute, validate, the catalog, and collecting the outcomes of held calls. */
@NullMarked
package dev.toolgate.server.door.access;

import org.jspecify.annotations.NullMarked;
