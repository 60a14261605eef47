package dev.toolgate.server.model;

import dev.toolgate.chat.model.Provider;
import dev.toolgate.chat.model.StopReason;
import dev.toolgate.chat.model.StreamChunk;
import dev.toolgate.core.call.Cancellation;
import dev.toolgate.core.tool.ToolContext;
import dev.toolgate.core.tool.ToolFailure;
import dev.toolgate.server.config.ModelName;
import dev.toolgate.tools.web.PageText;
import dev.toolgate.tools.web.Summariser;
import dev.toolgate.tools.web.Summary;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Has a model sum up pages, with the key of the caller's tenant; where it does not, another way is taken. */
public final class ModelSummariser implements Summariser {
    /** With fetching and rendering before it, within the time of the tool. */
    public static final Duration USUAL_LIMIT = Duration.ofSeconds(40);

    private static final int MOST_CHARACTERS = 8_000;

    private final ModelProviders providers;
    private final ModelName model;
    private final Summariser otherwise;
    private final Duration limit;

    /**
     * @param otherwise who sums up when the model does not
     * @param limit how long the model may take
     */
    public ModelSummariser(ModelProviders providers, ModelName model, Summariser otherwise, Duration limit) {
        this.providers = providers;
        this.model = model;
        this.otherwise = otherwise;
        this.limit = limit;
    }

    @Override
    public Summary summarise(PageText page, String task, ToolContext context) throws ToolFailure, InterruptedException {
        Optional<Provider> provider =
                providers.find(model.provider(), context.call().caller().tenant());
        if (page.text().isBlank() || provider.isEmpty()) {
            return otherwise.summarise(page, task, context);
        }
        Spoken spoken = ask(provider.get(), page, task, context.call().cancellation());
        if (Thread.interrupted() || context.call().cancellation().isCancelled()) {
            throw new InterruptedException("The call was stopped while a model summed up the page.");
        }
        String failure = spoken.failure();
        return failure == null
                ? new Summary(spoken.text(), model.toString(), null)
                : otherwise.summarise(page, task, context).because(failure);
    }

    private Spoken ask(Provider provider, PageText page, String task, Cancellation call) {
        Spoken spoken = new Spoken();
        Cancellation stop = new Cancellation();
        Runnable withTheCall = stop::cancel;
        call.onCancel(withTheCall);
        CompletableFuture<Void> deadline =
                new CompletableFuture<Void>().completeOnTimeout(null, limit.toMillis(), TimeUnit.MILLISECONDS);
        var _ = deadline.thenRunAsync(() -> {
            spoken.late = true;
            stop.cancel();
        });
        try {
            provider.stream(SummaryRequest.of(model.model(), page, task), spoken::hear, stop);
        } finally {
            deadline.cancel(false);
            call.forget(withTheCall);
        }
        return spoken;
    }

    /** What the model has said, and what kept it from saying it. */
    private final class Spoken {
        private final StringBuilder text = new StringBuilder();
        private volatile boolean late;
        private @Nullable String trouble;

        void hear(StreamChunk chunk) {
            switch (chunk) {
                case StreamChunk.Text said -> {
                    if (text.length() < MOST_CHARACTERS) {
                        text.append(said.content());
                    }
                }
                case StreamChunk.Broken broken -> trouble = broken.failure().message();
                case StreamChunk.End end ->
                    trouble = end.stopReason() == StopReason.REFUSED ? "The model refused." : null;
                case StreamChunk.Start _,
                        StreamChunk.Thinking _,
                        StreamChunk.ToolCallStart _,
                        StreamChunk.ToolCallDelta _,
                        StreamChunk.ToolCallEnd _ -> {}
            }
        }

        String text() {
            return SummaryRequest.beginning(text.toString(), MOST_CHARACTERS).strip();
        }

        @Nullable
        String failure() {
            if (late && trouble != null) {
                return "The model " + model + " took longer than " + limit.toSeconds() + " seconds.";
            }
            return trouble == null && text().isEmpty() ? "The model " + model + " said nothing." : trouble;
        }
    }
}
