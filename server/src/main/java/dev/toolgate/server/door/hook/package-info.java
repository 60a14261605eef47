/** The door for coding agents that ask before and report after every use of their own tools. */
@NullMarked
package dev.toolgate.server.door.hook;

import org.jspecify.annotations.NullMarked;
