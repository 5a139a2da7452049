// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.plot;

import java.util.List;

/** An HTML page that needs nothing else: no script, no network. */
public final class Page {

    private static final String STYLE =
            "body{font-family:sans-serif;max-width:60em;margin:2em auto;padding:0 1em;color:#222}"
                    + "table{border-collapse:collapse;margin:1em 0}td,th{padding:.2em .7em;border-bottom:1px solid #ddd;"
                    + "text-align:right}svg{max-width:100%;height:auto;margin:1em 0}p{line-height:1.5}";

    private final StringBuilder text = new StringBuilder();

    public Page(String title) {
        String shown = Svg.escaped(title);
        text.append("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>")
                .append(shown)
                .append("</title>\n<style>")
                .append(STYLE)
                .append("</style>\n</head>\n<body>\n<h1>")
                .append(shown)
                .append("</h1>\n");
    }

    public Page paragraph(String words) {
        text.append("<p>").append(Svg.escaped(words)).append("</p>\n");
        return this;
    }

    /** A plot as one of this package draws it. */
    public Page plot(String svg) {
        text.append(svg);
        return this;
    }

    /** @param rows the first one is the head */
    public Page table(List<List<String>> rows) {
        text.append("<table>\n");
        String cell = "th";
        for (List<String> row : rows) {
            text.append("<tr>");
            for (String words : row) {
                text.append('<')
                        .append(cell)
                        .append('>')
                        .append(Svg.escaped(words))
                        .append("</")
                        .append(cell)
                        .append('>');
            }
            text.append("</tr>\n");
            cell = "td";
        }
        text.append("</table>\n");
        return this;
    }

    public String end() {
        return text + "</body>\n</html>\n";
    }
}
