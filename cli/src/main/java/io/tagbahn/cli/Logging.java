// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.logging.Formatter;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Logs of this process: one line each, on standard error. */
final class Logging {

    // Held so that the level set on it is not collected with it.
    private static final Logger ROOT = Logger.getLogger("");

    private Logging() {}

    static void configure(PrintStream err, Level level) {
        for (Handler handler : ROOT.getHandlers()) {
            ROOT.removeHandler(handler);
        }
        Handler handler = new LineHandler(err);
        handler.setLevel(Level.ALL);
        ROOT.addHandler(handler);
        ROOT.setLevel(level);
    }

    private static final class LineHandler extends Handler {

        private final PrintStream err;

        LineHandler(PrintStream err) {
            this.err = err;
            setFormatter(new LineFormatter());
        }

        @Override
        public void publish(LogRecord entry) {
            if (isLoggable(entry)) {
                err.print(getFormatter().format(entry));
            }
        }

        @Override
        public void flush() {
            err.flush();
        }

        @Override
        public void close() {
            flush();
        }
    }

    /** {@code 2026-01-31T10:15:30.123Z INFO io.tagbahn.server.node.Node listening on 127.0.0.1:21300}. */
    static final class LineFormatter extends Formatter {

        private static final DateTimeFormatter TIME =
                DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSX").withZone(ZoneOffset.UTC);

        @Override
        public String format(LogRecord entry) {
            StringBuilder line = new StringBuilder(120)
                    .append(TIME.format(entry.getInstant()))
                    .append(' ')
                    .append(name(entry.getLevel()))
                    .append(' ')
                    .append(entry.getLoggerName())
                    .append(' ')
                    .append(formatMessage(entry))
                    .append('\n');
            if (entry.getThrown() != null) {
                StringWriter trace = new StringWriter();
                entry.getThrown().printStackTrace(new PrintWriter(trace));
                line.append(trace);
            }
            return line.toString();
        }

        /** The names that slf4j gives the levels: those are in the code. */
        private static String name(Level level) {
            if (level.intValue() >= Level.SEVERE.intValue()) {
                return "ERROR";
            }
            if (level.intValue() >= Level.WARNING.intValue()) {
                return "WARN";
            }
            if (level.intValue() >= Level.INFO.intValue()) {
                return "INFO";
            }
            return level.intValue() >= Level.FINE.intValue() ? "DEBUG" : "TRACE";
        }
    }
}
