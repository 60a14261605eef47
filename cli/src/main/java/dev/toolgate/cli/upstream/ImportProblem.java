package dev.toolgate.cli.upstream;

import java.io.IOException;

/** A server of a file that cannot be added; the message says why and what to do. */
final class ImportProblem extends IOException {
    private static final long serialVersionUID = 1L;

    ImportProblem(String message) {
        super(message);
    }
}
