package dev.toolgate.mcp.client.oauth;

import java.io.IOException;
import java.net.URI;

/** Takes a person to a page of the authorization server and waits until the browser is sent back. */
@FunctionalInterface
public interface AuthorizationPrompt {
    /** The URL that the browser was sent back to, with everything in it. */
    URI authorize(URI page) throws IOException, InterruptedException;
}
