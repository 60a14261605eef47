/** Files beneath a root, reached without ever leaving it. */
@NullMarked
package dev.toolgate.runtime.sandbox.files;

import org.jspecify.annotations.NullMarked;
