package dev.toolgate.store.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseUrlTest {

    @ParameterizedTest
    @CsvSource({
        "postgres://me:secret@db.example:5433/audit, //db.example:5433/audit, me, secret",
        "postgresql://me:secret@db.example/audit, //db.example/audit, me, secret",
        "postgres://me@db.example, //db.example/me, me, ''",
        "postgres:///audit, //localhost/audit, '', ''",
        "postgres://m%40e:p%2Fw%3A%40%25@h/a%20b, //h/a%20b, m@e, p/w:@%",
        "postgres://me:a+b@h/d, //h/d, me, a+b",
        "postgres://me:a/b@c@h/d, //h/d, me, a/b@c",
        "postgres://me:s@[::1]:5432/d, //[::1]:5432/d, me, s",
        "'postgres://me:s@one:1,two:2/d', '//one:1,two:2/d', me, s",
        "postgres://h/d?user=me&password=s%26t, //h/d, me, s&t",
        "postgres://me:s@h/d?sslmode=require&application_name=gate%201, //h/d?sslmode=require&ApplicationName=gate%201, me, s",
    })
    void parses_common_forms(String setting, String address, String user, String password) {
        DatabaseUrl url = DatabaseUrl.parse(setting);

        assertThat(url.jdbcUrl()).isEqualTo("jdbc:postgresql:" + address);
        assertThat(url.user()).isEqualTo(user);
        assertThat(url.password()).isEqualTo(password);
    }

    @Test
    void keeps_a_jdbc_url_and_hides_its_parameters() {
        String setting = "jdbc:postgresql://db.example/audit?user=me&password=secret";

        DatabaseUrl url = DatabaseUrl.parse(setting);

        assertThat(url.jdbcUrl()).isEqualTo(setting);
        assertThat(url).hasToString("postgresql://db.example/audit");
    }

    @Test
    void does_not_show_the_password() {
        assertThat(DatabaseUrl.parse("postgres://me:secret@db.example/audit"))
                .hasToString("postgresql://db.example/audit");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mysql://me:secret@h/d",
                "me:secret@h/d",
                "postgres:me:secret@h/d",
                "postgres://me:secret%zz@h/d",
                "postgres://me:secret%@h/d",
                "postgres://me:x@secret host/d",
                "postgres://me:x@h/d?secret",
                "postgres://me:x@h/d?=secret",
                "postgres://me:x@h/d?password=secret%",
                "postgres://me:x@%2Fvar%2Fsecret/d",
            })
    void rejects_invalid_urls_without_showing_the_password(String setting) {
        assertThatThrownBy(() -> DatabaseUrl.parse(setting))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching(
                        "DATABASE_URL [^\\n]+; write it as postgresql://user:password@host:5432/database\\.")
                .hasMessageNotContaining("secret")
                .hasNoCause();
    }
}
