// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.plot;

import java.util.List;
import java.util.stream.DoubleStream;

/**
 * Bars in groups, on a scale in powers of ten.
 *
 * @param groups what is written under each group
 * @param series one bar in each group
 */
public record BarPlot(String title, String unit, List<String> groups, List<Series> series) {

    private static final int WIDTH = 720;
    private static final int HEIGHT = 340;
    private static final int LEFT = 70;
    private static final int TOP = 60;
    private static final int BOTTOM = HEIGHT - 60;
    private static final List<String> COLOURS = List.of("#3b6fb6", "#d98c21", "#4b9a54", "#a34c9c");

    /** Bars of one kind, as many as there are groups. */
    public record Series(String name, List<Bar> bars) {

        public Series {
            bars = List.copyOf(bars);
        }
    }

    /**
     * A bar.
     *
     * @param whisker how far a thin line goes on above it
     * @param mark a height that is marked across it
     */
    public record Bar(double height, double whisker, double mark) {}

    public BarPlot {
        groups = List.copyOf(groups);
        series = List.copyOf(series);
        for (Series each : series) {
            if (each.bars().size() != groups.size()) {
                throw new IllegalArgumentException(
                        each.name() + " has " + each.bars().size() + " bars");
            }
        }
        if (series.size() > COLOURS.size()) {
            throw new IllegalArgumentException(series.size() + " series");
        }
    }

    public String svg() {
        Svg svg = new Svg(WIDTH, HEIGHT, title);
        LogAxis axis = new LogAxis(
                TOP,
                BOTTOM,
                series.stream()
                        .flatMap(each -> each.bars().stream())
                        .flatMapToDouble(bar -> DoubleStream.of(bar.height(), bar.whisker(), bar.mark())));
        axis.draw(svg, LEFT, WIDTH - 20, unit);
        double groupWidth = (WIDTH - 20.0 - LEFT) / groups.size();
        double barWidth = Math.min(60, groupWidth * 0.8 / series.size());
        for (int g = 0; g < groups.size(); g++) {
            double middle = LEFT + groupWidth * (g + 0.5);
            svg.text(middle, BOTTOM + 18, "middle", groups.get(g));
            for (int s = 0; s < series.size(); s++) {
                double x = middle + (s - series.size() / 2.0) * barWidth;
                draw(svg, axis, series.get(s).bars().get(g), x, barWidth, COLOURS.get(s));
            }
        }
        for (int s = 0; s < series.size(); s++) {
            double x = LEFT + s * 150.0;
            svg.rectangle(x, HEIGHT - 24, 12, 12, COLOURS.get(s));
            svg.text(x + 18, HEIGHT - 14, "start", series.get(s).name());
        }
        return svg.end();
    }

    private static void draw(Svg svg, LogAxis axis, Bar bar, double x, double width, String colour) {
        double y = axis.y(bar.height());
        svg.rectangle(x, y, width - 2, Math.max(0.5, BOTTOM - y), colour);
        svg.line(x + width / 2 - 1, y, x + width / 2 - 1, axis.y(bar.whisker()), "#222222");
        svg.line(x, axis.y(bar.mark()), x + width - 2, axis.y(bar.mark()), "#000000");
        svg.text(x + width / 2 - 1, axis.y(bar.whisker()) - 4, "middle", Figure.of(bar.height()));
    }
}
