/** Shared by all doors: parsing of ids, names, texts and pages, and the mapping of errors. */
@NullMarked
package dev.toolgate.server.door;

import org.jspecify.annotations.NullMarked;
