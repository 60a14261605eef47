/** What the doors share: ids, names, texts and pages as requests and responses carry them. */
@NullMarked
package dev.toolgate.server.door;

import org.jspecify.annotations.NullMarked;
