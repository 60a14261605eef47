/** What is known of artifacts, and the one store that is made of a place for bytes and a list of what they are. */
@NullMarked
package dev.toolgate.core.artifact;

import org.jspecify.annotations.NullMarked;
