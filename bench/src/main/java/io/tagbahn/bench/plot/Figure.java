// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.plot;

import java.math.BigDecimal;
import java.math.MathContext;

/** A figure with as many digits as a measurement is good for: three. */
public final class Figure {

    private Figure() {}

    public static BigDecimal rounded(double value) {
        BigDecimal rounded = BigDecimal.valueOf(value).round(new MathContext(3));
        return rounded.scale() < 0 || rounded.signum() == 0 ? rounded.setScale(0) : rounded;
    }

    public static String of(double value) {
        return rounded(value).stripTrailingZeros().toPlainString();
    }
}
