// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.plot;

import java.util.List;
import java.util.stream.Stream;

/**
 * Lines through points, on scales in powers of ten: what stays as it is lies level, what grows in proportion rises by as
 * many powers as it goes to the right.
 *
 * @param across what the points' places across are
 * @param unit of their heights
 */
public record LinePlot(String title, String across, String unit, List<Line> lines) {

    private static final int WIDTH = 720;
    private static final int HEIGHT = 380;
    private static final int LEFT = 80;
    private static final int RIGHT = WIDTH - 40;
    private static final int TOP = 60;
    private static final int BOTTOM = HEIGHT - 90;
    private static final List<String> COLOURS =
            List.of("#3b6fb6", "#d98c21", "#4b9a54", "#a34c9c", "#8a5a44", "#777777");

    /** A line through points from left to right. */
    public record Line(String name, List<Point> points) {

        public Line {
            points = List.copyOf(points);
        }
    }

    /** Both above zero; a height of zero is drawn at the foot. */
    public record Point(double across, double height) {}

    public LinePlot {
        lines = List.copyOf(lines);
        if (lines.size() > COLOURS.size()) {
            throw new IllegalArgumentException(lines.size() + " lines");
        }
    }

    public String svg() {
        Svg svg = new Svg(WIDTH, HEIGHT, title);
        LogAxis axis = new LogAxis(TOP, BOTTOM, points().mapToDouble(Point::height));
        axis.draw(svg, LEFT, RIGHT, unit);
        double[] places =
                points().mapToDouble(Point::across).sorted().distinct().toArray();
        for (double place : places) {
            svg.line(x(place, places), BOTTOM, x(place, places), BOTTOM + 4, "#222222");
            svg.text(x(place, places), BOTTOM + 18, "middle", Figure.of(place));
        }
        svg.text((LEFT + RIGHT) / 2.0, BOTTOM + 38, "middle", across);
        for (int i = 0; i < lines.size(); i++) {
            draw(svg, axis, lines.get(i).points(), places, COLOURS.get(i));
            double x = LEFT + i % 3 * 210.0;
            int row = i / 3;
            double y = HEIGHT - 36 + row * 18.0;
            svg.rectangle(x, y, 12, 12, COLOURS.get(i));
            svg.text(x + 18, y + 10, "start", lines.get(i).name());
        }
        return svg.end();
    }

    private Stream<Point> points() {
        return lines.stream().flatMap(line -> line.points().stream());
    }

    private static void draw(Svg svg, LogAxis axis, List<Point> points, double[] places, String colour) {
        for (int i = 0; i < points.size(); i++) {
            double x = x(points.get(i).across(), places);
            double y = axis.y(points.get(i).height());
            if (i > 0) {
                Point before = points.get(i - 1);
                svg.line(x(before.across(), places), axis.y(before.height()), x, y, colour);
            }
            svg.dot(x, y, colour);
        }
    }

    private static double x(double value, double[] places) {
        double least = Math.log10(places[0]);
        double most = Math.log10(places[places.length - 1]);
        return most == least
                ? (LEFT + RIGHT) / 2.0
                : LEFT + 20 + (Math.log10(value) - least) / (most - least) * (RIGHT - LEFT - 40);
    }
}
