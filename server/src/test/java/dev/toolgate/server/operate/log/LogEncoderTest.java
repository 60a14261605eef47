package dev.toolgate.server.operate.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.read.ListAppender;
import dev.toolgate.core.json.Json;
import dev.toolgate.core.redact.Redactor;
import dev.toolgate.server.config.LogSettings;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import tools.jackson.databind.JsonNode;

/** The shipped logging configuration, with captured output. */
class LogEncoderTest {
    private static final String KEY = "tg_0123456789abcdefPLANTED";

    private final LoggerContext context = new LoggerContext();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    private Logger logger(String format) throws Exception {
        context.setMDCAdapter(MDC.getMDCAdapter());
        context.putProperty("LOG_FORMAT", format);
        context.putProperty("LOG_LEVEL", "debug");
        JoranConfigurator configurator = new JoranConfigurator();
        configurator.setContext(context);
        configurator.doConfigure(LogEncoderTest.class.getResource("/logback.xml"));
        ConsoleAppender<ILoggingEvent> console = (ConsoleAppender<ILoggingEvent>)
                context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("stderr");
        console.setOutputStream(out);
        return context.getLogger("dev.toolgate.Sample");
    }

    private String written() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @AfterEach
    void forget() {
        MDC.clear();
        context.stop();
    }

    @Test
    void json_is_one_object_with_the_ids_of_the_call() throws Exception {
        Logger logger = logger("json");
        MDC.put(LogFields.CORRELATION_ID, "c-1");
        MDC.put(LogFields.REQUEST_ID, "r-1");
        MDC.put(LogFields.AGENT, "alice");
        logger.warn("hello {}\nworld", 5, new IllegalStateException("broken", new RuntimeException("cause")));
        assertThat(written().lines()).hasSize(1);
        JsonNode line = Json.MAPPER.readTree(written());
        assertThat(line.path("level").asString()).isEqualTo("WARN");
        assertThat(line.path("logger").asString()).isEqualTo("dev.toolgate.Sample");
        assertThat(line.path("message").asString()).isEqualTo("hello 5\nworld");
        assertThat(line.path("thread").asString())
                .isEqualTo(Thread.currentThread().getName());
        assertThat(line.path("timestamp").asString()).matches("\\d{4}-\\d\\d-\\d\\dT.*Z");
        assertThat(line.path("correlation_id").asString()).isEqualTo("c-1");
        assertThat(line.path("request_id").asString()).isEqualTo("r-1");
        assertThat(line.path("agent").asString()).isEqualTo("alice");
        assertThat(line.path("exception").asString())
                .contains("IllegalStateException: broken")
                .contains("Caused by: java.lang.RuntimeException: cause");
    }

    @Test
    void text_shows_the_correlation_id_when_there_is_one() throws Exception {
        Logger logger = logger("text");
        logger.info("without");
        MDC.put(LogFields.CORRELATION_ID, "c-1");
        logger.info("with");
        assertThat(written().lines())
                .satisfiesExactly(
                        line -> assertThat(line).matches("[0-9:.]{12} INFO  Sample: without"),
                        line -> assertThat(line).endsWith("Sample: with [c-1]"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"text", "json"})
    void secrets_are_masked_in_messages_and_exceptions(String format) throws Exception {
        Logger logger = logger(format);
        MDC.put(LogFields.CORRELATION_ID, KEY);
        logger.error("key {}", KEY);
        logger.error("Authorization: Bearer abcdefghPLANTEDijk");
        logger.error("cannot reach postgresql://user:PLANTED@host/db");
        logger.error("broken", new RuntimeException("key " + KEY, new IllegalStateException("inner " + KEY)));
        assertThat(written())
                .contains("key " + Redactor.MASK)
                .contains("RuntimeException: key " + Redactor.MASK)
                .contains("IllegalStateException: inner " + Redactor.MASK)
                .contains("postgresql://user:" + Redactor.MASK + "@host/db")
                .doesNotContain("PLANTED");
    }

    @Test
    void a_message_cannot_forge_a_log_line() throws Exception {
        logger("text").info("a\n12:00:00.000 ERROR Sample: forged\r\nb\u001b[2J");
        assertThat(written()).doesNotContain("\u001b");
        assertThat(written().lines().skip(1)).allMatch(line -> line.startsWith("    "));
    }

    @Test
    void settings_change_level_and_format_of_the_running_process() throws Exception {
        Logger logger = logger("text");
        Logging.apply(
                context,
                new LogSettings(LogSettings.Level.WARN, LogSettings.Format.JSON),
                Redactor.standard().withSecrets(Set.of("exactly-this")));
        logger.info("quiet");
        logger.warn("loud exactly-this");
        assertThat(Json.MAPPER.readTree(written()).path("message").asString()).isEqualTo("loud [redacted]");
    }

    @Test
    void libraries_are_quiet() throws Exception {
        logger("text");
        assertThat(context.getLogger("com.zaxxer.hikari.pool.HikariPool").isWarnEnabled())
                .isFalse();
        for (String library :
                new String[] {"org.flywaydb.core", "org.eclipse.jetty.server", "com.github.kagkarlsson.x"}) {
            assertThat(context.getLogger(library).isInfoEnabled()).isFalse();
            assertThat(context.getLogger(library).isWarnEnabled()).isTrue();
        }
    }

    @Test
    void java_util_logging_is_redirected() {
        LoggerContext running = (LoggerContext) LoggerFactory.getILoggerFactory();
        ListAppender<ILoggingEvent> caught = new ListAppender<>();
        caught.setContext(running);
        caught.start();
        running.getLogger("org.sample").addAppender(caught);
        Logging.apply(new LogSettings(LogSettings.Level.WARN, LogSettings.Format.TEXT), Redactor.standard());
        java.util.logging.Logger.getLogger("org.sample")
                .log(java.util.logging.Level.WARNING, "said {0}", new Object[] {"so"});
        running.getLogger("org.sample").detachAppender(caught);
        assertThat(caught.list).singleElement().satisfies(event -> assertThat(event.getFormattedMessage())
                .isEqualTo("said so"));
    }
}
