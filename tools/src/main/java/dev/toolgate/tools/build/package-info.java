/** Builds that run elsewhere: started, followed and stopped. */
@NullMarked
package dev.toolgate.tools.build;

import org.jspecify.annotations.NullMarked;
