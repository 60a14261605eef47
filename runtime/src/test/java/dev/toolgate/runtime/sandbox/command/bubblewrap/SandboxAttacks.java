package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.runtime.sandbox.command.bubblewrap.SandboxFixture.Result;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Base of the attack suites: a sandbox with low limits. */
abstract class SandboxAttacks extends WithSandboxFixture {
    BubblewrapSandbox sandbox;

    @BeforeEach
    void open() throws Exception {
        sandbox = fixture.sandbox(SandboxFixture.smallSettings());
    }

    @AfterEach
    void close() throws Exception {
        sandbox.close();
    }

    Result confined(String attack) throws Exception {
        return fixture.confined(sandbox, attack);
    }

    Result unconfined(String attack) throws Exception {
        return fixture.unconfined(attack);
    }

    /** Makes a system call by number, which differs between architectures; prints its result, -1 if refused. */
    static String syscall(int x86, int arm, String arguments) {
        int number = System.getProperty("os.arch").equals("aarch64") ? arm : x86;
        return "perl -e 'print syscall(" + number + ", " + arguments + "), \"\\n\"'";
    }
}
