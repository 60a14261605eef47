package dev.toolgate.runtime.sandbox.command.nonlinux;

import java.io.IOException;

/** The Windows functions for Job Objects; a job is identified by its handle. */
interface JobObjects {

    /** Creates a job whose processes end when its last handle is closed, even if this process crashes. */
    long createEndingOnClose() throws IOException;

    /** Puts a process, and every process it starts from now on, into a job. */
    void assign(long job, long pid) throws IOException;

    /** Kills every process of a job. */
    void terminate(long job);

    void close(long job);
}
