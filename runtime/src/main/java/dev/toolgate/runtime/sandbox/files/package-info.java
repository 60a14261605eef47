/** File access beneath a root folder that cannot leave it. */
@NullMarked
package dev.toolgate.runtime.sandbox.files;

import org.jspecify.annotations.NullMarked;
