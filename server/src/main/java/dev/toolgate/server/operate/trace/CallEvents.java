package dev.toolgate.server.operate.trace;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Outcome;
import java.time.Duration;

/** Receives an event when a call is requested and when it has ended. */
public interface CallEvents {

    /** Ignores all events. */
    CallEvents NONE = new CallEvents() {
        @Override
        public void requested(Call call) {}

        @Override
        public void completed(Call call, Outcome outcome, Duration took) {}
    };

    /** A call was requested; sent once, even if the call is held and resumed. */
    void requested(Call call);

    /** A call has ended. */
    void completed(Call call, Outcome outcome, Duration took);
}
