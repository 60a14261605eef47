/** Which language models there are, and whether a key is good for them. */
@NullMarked
package dev.toolgate.server.door.model;

import org.jspecify.annotations.NullMarked;
