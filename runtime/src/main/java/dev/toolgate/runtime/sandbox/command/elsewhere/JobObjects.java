package dev.toolgate.runtime.sandbox.command.elsewhere;

import java.io.IOException;

/** The calls of Windows that hold processes together; a job is named by its handle. */
interface JobObjects {

    /** Makes a job whose processes end when its last handle is closed, even if this process crashes. */
    long createEndingOnClose() throws IOException;

    /** Puts a process, and every process it starts from now on, into a job. */
    void assign(long job, long pid) throws IOException;

    /** Ends every process of a job. */
    void terminate(long job);

    void close(long job);
}
