/** Providers of language models, their models, and the validation of keys. */
@NullMarked
package dev.toolgate.server.door.model;

import org.jspecify.annotations.NullMarked;
