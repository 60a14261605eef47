/** Redaction of secrets in everything stored or shown. */
@NullMarked
package dev.toolgate.core.redact;

import org.jspecify.annotations.NullMarked;
