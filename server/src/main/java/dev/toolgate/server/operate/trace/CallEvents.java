package dev.toolgate.server.operate.trace;

import dev.toolgate.core.call.Call;
import dev.toolgate.core.call.Outcome;
import dev.toolgate.server.operate.Errand;
import java.time.Duration;

/** Hears of every call when it comes and when it is over. */
public interface CallEvents {

    /** Pays no attention. */
    CallEvents NONE = new CallEvents() {
        @Override
        public void requested(Call call, Errand errand) {}

        @Override
        public void completed(Call call, Errand errand, Outcome outcome, Duration took) {}
    };

    /** A call has come. */
    void requested(Call call, Errand errand);

    /** A call is over. */
    void completed(Call call, Errand errand, Outcome outcome, Duration took);
}
