/** The API's contract: the document of what the server can be asked, and a page to try it. */
@NullMarked
package dev.toolgate.server.openapi;

import org.jspecify.annotations.NullMarked;
