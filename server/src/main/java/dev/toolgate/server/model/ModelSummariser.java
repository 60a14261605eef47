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

/** Summarises pages with a language model and the tenant's key; uses a fallback if that fails. */
public final class ModelSummariser implements Summariser {
    /** Together with fetching and rendering, within the tool's time-out. */
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(40);

    private static final int MAX_CHARACTERS = 8_000;

    private final ModelProviders providers;
    private final ModelName model;
    private final Summariser fallback;
    private final Duration limit;

    /**
     * @param fallback used if the model fails
     * @param limit how long the model may take
     */
    public ModelSummariser(ModelProviders providers, ModelName model, Summariser fallback, Duration limit) {
        this.providers = providers;
        this.model = model;
        this.fallback = fallback;
        this.limit = limit;
    }

    @Override
    public Summary summarise(PageText page, String task, ToolContext context) throws ToolFailure, InterruptedException {
        Optional<Provider> provider =
                providers.find(model.provider(), context.call().caller().tenant());
        if (page.text().isBlank() || provider.isEmpty()) {
            return fallback.summarise(page, task, context);
        }
        ModelReply reply = ask(provider.get(), page, task, context.call().cancellation());
        if (Thread.interrupted() || context.call().cancellation().isCancelled()) {
            throw new InterruptedException("The call was cancelled while a model summarised the page.");
        }
        String failure = reply.failure();
        return failure == null
                ? new Summary(reply.text(), model.toString(), null)
                : fallback.summarise(page, task, context).because(failure);
    }

    private ModelReply ask(Provider provider, PageText page, String task, Cancellation call) {
        ModelReply reply = new ModelReply();
        Cancellation stop = new Cancellation();
        Runnable cancelWithCall = stop::cancel;
        call.onCancel(cancelWithCall);
        CompletableFuture<Void> deadline =
                new CompletableFuture<Void>().completeOnTimeout(null, limit.toMillis(), TimeUnit.MILLISECONDS);
        var _ = deadline.thenRunAsync(() -> {
            reply.late = true;
            stop.cancel();
        });
        try {
            provider.stream(SummaryRequest.of(model.model(), page, task), reply::accept, stop);
        } finally {
            deadline.cancel(false);
            call.forget(cancelWithCall);
        }
        return reply;
    }

    /** The model's reply, or why there is none. */
    private final class ModelReply {
        private final StringBuilder text = new StringBuilder();
        private volatile boolean late;
        private @Nullable String failureMessage;

        void accept(StreamChunk chunk) {
            switch (chunk) {
                case StreamChunk.Text said -> {
                    if (text.length() < MAX_CHARACTERS) {
                        text.append(said.content());
                    }
                }
                case StreamChunk.Broken broken ->
                    failureMessage = broken.failure().message();
                case StreamChunk.End end ->
                    failureMessage = end.stopReason() == StopReason.REFUSED ? "The model refused to answer." : null;
                case StreamChunk.Start _,
                        StreamChunk.Thinking _,
                        StreamChunk.ToolCallStart _,
                        StreamChunk.ToolCallDelta _,
                        StreamChunk.ToolCallEnd _ -> {}
            }
        }

        String text() {
            return SummaryRequest.truncate(text.toString(), MAX_CHARACTERS).strip();
        }

        @Nullable
        String failure() {
            if (late && failureMessage != null) {
                return "The model " + model + " took longer than " + limit.toSeconds() + " seconds.";
            }
            return failureMessage == null && text().isEmpty()
                    ? "The model " + model + " returned no text."
                    : failureMessage;
        }
    }
}
