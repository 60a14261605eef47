package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.runtime.platform.Account;
import java.io.IOException;
import java.nio.file.Path;

/** Selects the account that runs commands in a workspace. */
@FunctionalInterface
public interface AccountChoice {

    /** The account; never root. */
    Account forWorkspace(Path workspace) throws IOException;
}
