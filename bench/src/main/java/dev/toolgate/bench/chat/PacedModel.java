package dev.toolgate.bench.chat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Streams many answers at a constant rate from one thread, one chunk of each in turn. The schedule is fixed at the
 * start, so that a late chunk does not delay later ones.
 */
final class PacedModel implements ScriptedModel.Script {
    static final int PER_SECOND = 50;

    /** The prefix of model names; the number of the conversation follows. */
    static final String NAME = "numbered-";

    private static final Pattern NUMBER = Pattern.compile(NAME + "(\\d+)");

    private final int conversations;
    private volatile Round round;
    private long lateNanos;

    PacedModel(int conversations) {
        this.conversations = conversations;
        this.round = new Round(conversations, 0);
    }

    private static final class Round {
        private final int pieces;
        private final List<AtomicLongArray> saidAt = new ArrayList<>();
        private final AtomicReferenceArray<ModelAnswer> answers;
        private final CountDownLatch asked;
        private final CountDownLatch over = new CountDownLatch(1);

        Round(int conversations, int pieces) {
            this.pieces = pieces;
            this.answers = new AtomicReferenceArray<>(conversations);
            this.asked = new CountDownLatch(conversations);
            for (int i = 0; i < conversations; i++) {
                saidAt.add(new AtomicLongArray(pieces));
            }
        }
    }

    /** Prepares a round of answers of this duration. */
    void prepare(int seconds) {
        round = new Round(conversations, seconds * PER_SECOND);
    }

    int pieces() {
        return round.pieces;
    }

    NumberedText text(int conversation) {
        return new NumberedText(conversation, pieces());
    }

    /** When each chunk of a conversation was sent. */
    AtomicLongArray saidAt(int conversation) {
        return round.saidAt.get(conversation);
    }

    @Override
    public void answer(String request, ModelAnswer answer) throws IOException, InterruptedException {
        Round now = round;
        Matcher number = NUMBER.matcher(request);
        if (!number.find()) {
            throw new IOException("No model of that name.");
        }
        answer.begin();
        now.answers.set(Integer.parseInt(number.group(1)), answer);
        now.asked.countDown();
        now.over.await();
        answer.end();
    }

    void awaitAsked() throws InterruptedException {
        if (!round.asked.await(30, TimeUnit.SECONDS)) {
            throw new IllegalStateException(round.asked.getCount() + " conversations did not reach the model.");
        }
    }

    /** Sends all chunks. */
    void speak() {
        long between = 1_000_000_000L / PER_SECOND / conversations;
        long due = System.nanoTime();
        lateNanos = 0;
        for (int piece = 0; piece < pieces(); piece++) {
            for (int conversation = 0; conversation < conversations; conversation++) {
                byte[] bytes = ModelAnswer.piece(text(conversation).piece(piece));
                for (long left = due - System.nanoTime(); left > 0; left = due - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                long now = System.nanoTime();
                lateNanos = Math.max(lateNanos, now - due);
                saidAt(conversation).set(piece, now);
                say(conversation, bytes);
                due += between;
            }
        }
    }

    private void say(int conversation, byte[] piece) {
        try {
            var _ = round.answers.get(conversation).say(piece);
        } catch (IOException cut) {
            // the others continue; its reader reports the loss
        }
    }

    /** The maximum delay of a chunk. */
    double lateMillis() {
        return lateNanos / 1e6;
    }

    /** Ends all answers. */
    void end() {
        round.over.countDown();
    }
}
