// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.plot;

import java.util.Locale;

/** An SVG document that is being drawn. */
final class Svg {

    private final StringBuilder text = new StringBuilder();

    Svg(int width, int height, String title) {
        text.append(String.format(
                Locale.ROOT,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
                        + " role=\"img\" font-family=\"sans-serif\" font-size=\"12\">%n<title>%s</title>%n",
                width,
                height,
                width,
                height,
                escaped(title)));
        rectangle(0, 0, width, height, "#ffffff");
        text(width / 2.0, 20, "middle", title);
    }

    void rectangle(double x, double y, double width, double height, String colour) {
        text.append(String.format(
                Locale.ROOT,
                "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>%n",
                x,
                y,
                width,
                height,
                colour));
    }

    void line(double x1, double y1, double x2, double y2, String colour) {
        text.append(String.format(
                Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\"/>%n",
                x1,
                y1,
                x2,
                y2,
                colour));
    }

    void dot(double x, double y, String colour) {
        text.append(
                String.format(Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" fill=\"%s\"/>%n", x, y, colour));
    }

    /** @param anchor where x is: start, middle or end of the text */
    void text(double x, double y, String anchor, String words) {
        text.append(String.format(
                Locale.ROOT,
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"#222222\">%s</text>%n",
                x,
                y,
                anchor,
                escaped(words)));
    }

    String end() {
        return text + String.format("</svg>%n");
    }

    static String escaped(String words) {
        return words.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
