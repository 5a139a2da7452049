// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.plot;

import java.util.Locale;
import java.util.stream.DoubleStream;

/** An upright axis in powers of ten: differences of a hundredfold stay readable. */
final class LogAxis {

    private final double top;
    private final double bottom;
    private final int lowest;
    private final int highest;

    /**
     * @param top where the highest power of ten is drawn
     * @param bottom where the lowest is
     * @param values that it has to hold; those that are not above zero are left out
     */
    LogAxis(double top, double bottom, DoubleStream values) {
        this.top = top;
        this.bottom = bottom;
        double[] shown = values.filter(each -> each > 0).sorted().toArray();
        lowest = shown.length == 0 ? 0 : (int) Math.floor(Math.log10(shown[0]));
        highest = shown.length == 0 ? 1 : Math.max(lowest + 1, (int) Math.ceil(Math.log10(shown[shown.length - 1])));
    }

    double y(double value) {
        double share = (Math.log10(Math.max(value, Math.pow(10, lowest))) - lowest) / (highest - lowest);
        return bottom - share * (bottom - top);
    }

    /** Draws a line and a number for each power of ten. */
    void draw(Svg svg, double left, double right, String unit) {
        for (int power = lowest; power <= highest; power++) {
            double value = Math.pow(10, power);
            svg.line(left, y(value), right, y(value), "#dddddd");
            svg.text(
                    left - 6,
                    y(value) + 4,
                    "end",
                    String.format(Locale.ROOT, power < 0 ? "%." + -power + "f" : "%.0f", value));
        }
        svg.text(left - 6, top - 12, "end", unit);
    }
}
