package dev.toolgate.runtime.sandbox.command.bubblewrap;

import dev.toolgate.runtime.sandbox.command.bubblewrap.Ground.Result;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the attack suites share: a sandbox with small limits on ground to fight on. */
abstract class SandboxAttacks extends WithGround {
    BubblewrapSandbox sandbox;

    @BeforeEach
    void open() throws Exception {
        sandbox = ground.sandbox(Ground.smallSettings());
    }

    @AfterEach
    void close() throws Exception {
        sandbox.close();
    }

    Result confined(String attack) throws Exception {
        return ground.confined(sandbox, attack);
    }

    Result unconfined(String attack) throws Exception {
        return ground.unconfined(attack);
    }

    /** A system call by number, which differs between processors; prints what it returns, -1 if refused. */
    static String syscall(int x86, int arm, String arguments) {
        int number = System.getProperty("os.arch").equals("aarch64") ? arm : x86;
        return "perl -e 'print syscall(" + number + ", " + arguments + "), \"\\n\"'";
    }
}
