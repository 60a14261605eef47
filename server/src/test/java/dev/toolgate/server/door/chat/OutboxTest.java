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

    private Outbox.Fate put(String conversation, Outgoing.Stream stream, String piece) {
        return outbox.put(new Outgoing.Piece(conversation, stream, piece));
    }

    private Outbox.Fate put(String conversation, String message) {
        return outbox.put(new Outgoing.Whole(conversation, message));
    }

    private List<String> all() throws InterruptedException {
        List<String> messages = new ArrayList<>();
        for (var next = outbox.take(AT_ONCE); next.isPresent(); next = outbox.take(AT_ONCE)) {
            messages.add(
                    switch (next.get()) {
                        case Outgoing.Whole whole -> whole.message();
                        case Outgoing.Piece piece -> piece.message();
                        case Outgoing.Goodbye goodbye -> goodbye.reason().text();
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
    void a_piece_that_was_taken_grows_no_more() throws InterruptedException {
        put("a", text, "one");
        var taken = outbox.take(AT_ONCE).orElseThrow();
        put("a", text, "two");
        assertThat(((Outgoing.Piece) taken).message()).isEqualTo("text:one");
        assertThat(all()).containsExactly("text:two");
    }

    @Test
    void nothing_overtakes_within_a_conversation() throws InterruptedException {
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
    void a_client_for_which_too_many_things_wait_is_given_up_and_what_waited_is_gone() {
        for (int i = 0; i < Outbox.MOST_WAITING; i++) {
            assertThat(put("a", "x")).isEqualTo(Outbox.Fate.WAITS);
        }
        assertThat(put("a", "x")).isEqualTo(Outbox.Fate.TOO_MUCH);
        assertThat(put("a", "x")).isEqualTo(Outbox.Fate.CLOSED);
        assertThatThrownBy(() -> outbox.take(AT_ONCE)).isInstanceOf(InterruptedException.class);
    }

    @Test
    void joined_pieces_count_for_their_length() {
        String megabyte = "x".repeat(1 << 20);
        for (int i = 0; i < Outbox.MOST_CHARACTERS >> 20; i++) {
            assertThat(put("a", text, megabyte)).isEqualTo(Outbox.Fate.WAITS);
        }
        assertThat(put("a", text, "x")).isEqualTo(Outbox.Fate.TOO_MUCH);
    }

    @Test
    void taking_makes_room_again() throws InterruptedException {
        String half = "x".repeat(Outbox.MOST_CHARACTERS / 2);
        for (int i = 0; i < 10; i++) {
            assertThat(put("a", half)).isEqualTo(Outbox.Fate.WAITS);
            assertThat(all()).hasSize(1);
        }
    }

    @Test
    void one_thing_alone_is_never_too_long() throws InterruptedException {
        assertThat(put("a", "x".repeat(Outbox.MOST_CHARACTERS + 1))).isEqualTo(Outbox.Fate.WAITS);
        assertThat(all()).hasSize(1);
    }

    @Test
    void the_goodbye_comes_after_all_that_waited() throws InterruptedException {
        put("a", text, "last words");
        outbox.put(new Outgoing.Goodbye(SocketPeer.CloseReason.STOPPING));
        assertThat(all()).containsExactly("text:last words", "The server is stopping.");
    }
}
