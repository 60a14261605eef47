package dev.toolgate.server.door.chat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.toolgate.http.socket.SocketPeer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutboxTest {
    private static final Duration AT_ONCE = Duration.ZERO;

    private final Outbox outbox = new Outbox();
    private final Outgoing.Stream text = piece -> "text:" + piece;
    private final Outgoing.Stream thought = piece -> "thought:" + piece;

    private Outbox.PutResult put(String conversation, Outgoing.Stream stream, String piece) {
        return outbox.put(new Outgoing.Piece(conversation, stream, piece));
    }

    private Outbox.PutResult put(String conversation, String message) {
        return outbox.put(new Outgoing.Whole(conversation, message));
    }

    private List<String> all() throws InterruptedException {
        List<String> messages = new ArrayList<>();
        for (var next = outbox.take(AT_ONCE); next.isPresent(); next = outbox.take(AT_ONCE)) {
            messages.add(
                    switch (next.get()) {
                        case Outgoing.Whole whole -> whole.message();
                        case Outgoing.Piece piece -> piece.message();
                        case Outgoing.Close goodbye -> goodbye.reason().text();
                    });
        }
        return messages;
    }

    @Test
    void pieces_that_wait_together_are_joined() throws InterruptedException {
        put("a", text, "Good ");
        put("a", text, "mor");
        put("a", text, "ning");
        assertThat(all()).containsExactly("text:Good morning");
    }

    @Test
    void nothing_is_joined_to_a_piece_that_was_taken() throws InterruptedException {
        put("a", text, "one");
        var taken = outbox.take(AT_ONCE).orElseThrow();
        put("a", text, "two");
        assertThat(((Outgoing.Piece) taken).message()).isEqualTo("text:one");
        assertThat(all()).containsExactly("text:two");
    }

    @Test
    void messages_of_a_conversation_stay_in_order() throws InterruptedException {
        put("a", text, "1");
        put("a", thought, "2");
        put("a", text, "3");
        put("a", "tool");
        put("a", text, "4");
        assertThat(all()).containsExactly("text:1", "thought:2", "text:3", "tool", "text:4");
    }

    @Test
    void conversations_do_not_keep_each_other_from_being_joined() throws InterruptedException {
        Outgoing.Stream other = piece -> "other:" + piece;
        put("a", text, "1");
        put("b", other, "2");
        put("a", text, "3");
        put("b", other, "4");
        assertThat(all()).containsExactly("text:13", "other:24");
    }

    @Test
    void a_full_queue_is_closed_and_emptied() {
        for (int i = 0; i < Outbox.MAX_WAITING; i++) {
            assertThat(put("a", "x")).isEqualTo(Outbox.PutResult.QUEUED);
        }
        assertThat(put("a", "x")).isEqualTo(Outbox.PutResult.OVERFLOW);
        assertThat(put("a", "x")).isEqualTo(Outbox.PutResult.CLOSED);
        assertThatThrownBy(() -> outbox.take(AT_ONCE)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void joined_pieces_count_by_their_length() {
        String megabyte = "x".repeat(1 << 20);
        for (int i = 0; i < Outbox.MAX_CHARACTERS >> 20; i++) {
            assertThat(put("a", text, megabyte)).isEqualTo(Outbox.PutResult.QUEUED);
        }
        assertThat(put("a", text, "x")).isEqualTo(Outbox.PutResult.OVERFLOW);
    }

    @Test
    void taking_makes_room_again() throws InterruptedException {
        String half = "x".repeat(Outbox.MAX_CHARACTERS / 2);
        for (int i = 0; i < 10; i++) {
            assertThat(put("a", half)).isEqualTo(Outbox.PutResult.QUEUED);
            assertThat(all()).hasSize(1);
        }
    }

    @Test
    void a_single_message_is_accepted_whatever_its_length() throws InterruptedException {
        assertThat(put("a", "x".repeat(Outbox.MAX_CHARACTERS + 1))).isEqualTo(Outbox.PutResult.QUEUED);
        assertThat(all()).hasSize(1);
    }

    @Test
    void the_close_message_comes_after_all_queued_messages() throws InterruptedException {
        put("a", text, "last words");
        outbox.put(new Outgoing.Close(SocketPeer.CloseReason.STOPPING));
        assertThat(all()).containsExactly("text:last words", "The server is stopping.");
    }
}
