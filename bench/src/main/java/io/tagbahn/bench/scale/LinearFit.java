// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.scale;

import java.util.Arrays;
import java.util.List;

/**
 * Costs as sums of factors with a price each: least squares of the relative errors, so that small costs count as much as
 * large ones. Prices are not below zero; a factor that would get such a one is left out.
 */
final class LinearFit {

    private final double[] prices;

    private LinearFit(double[] prices) {
        this.prices = prices;
    }

    /**
     * Fits.
     *
     * @param factors of each cost, as many for each
     * @param costs above zero; where there are none, everything is free
     */
    static LinearFit of(List<double[]> factors, double[] costs) {
        if (costs.length == 0) {
            return new LinearFit(new double[0]);
        }
        int count = factors.get(0).length;
        boolean[] used = new boolean[count];
        Arrays.fill(used, true);
        while (true) {
            double[] prices = solved(factors, costs, used);
            int worst = -1;
            for (int i = 0; i < count; i++) {
                if (prices[i] < 0 && (worst < 0 || prices[i] < prices[worst])) {
                    worst = i;
                }
            }
            if (worst < 0) {
                return new LinearFit(prices);
            }
            used[worst] = false;
        }
    }

    double at(double[] factors) {
        double sum = 0;
        for (int i = 0; i < prices.length; i++) {
            sum += prices[i] * factors[i];
        }
        return sum;
    }

    /** The prices of the factors in use, by the normal equations. */
    private static double[] solved(List<double[]> factors, double[] costs, boolean[] used) {
        int count = used.length;
        double[][] equations = new double[count][count + 1];
        for (int row = 0; row < costs.length; row++) {
            double[] relative = new double[count];
            for (int i = 0; i < count; i++) {
                relative[i] = used[i] ? factors.get(row)[i] / costs[row] : 0;
            }
            for (int i = 0; i < count; i++) {
                for (int j = 0; j < count; j++) {
                    equations[i][j] += relative[i] * relative[j];
                }
                equations[i][count] += relative[i];
            }
        }
        return eliminated(equations);
    }

    /** Gauss's elimination; an unknown that the equations say nothing of is 0. */
    private static double[] eliminated(double[][] equations) {
        int count = equations.length;
        double[] scale = new double[count];
        for (int i = 0; i < count; i++) {
            scale[i] = equations[i][i];
        }
        for (int i = 0; i < count; i++) {
            if (!(equations[i][i] > scale[i] * 1e-9)) {
                Arrays.fill(equations[i], 0);
                equations[i][i] = 1;
                for (int row = 0; row < count; row++) {
                    if (row != i) {
                        equations[row][i] = 0;
                    }
                }
            }
            for (int row = 0; row < count; row++) {
                double share = equations[row][i] / equations[i][i];
                if (row != i && share != 0) {
                    for (int column = i; column <= count; column++) {
                        equations[row][column] -= share * equations[i][column];
                    }
                }
            }
        }
        double[] unknowns = new double[count];
        for (int i = 0; i < count; i++) {
            unknowns[i] = equations[i][count] / equations[i][i];
        }
        return unknowns;
    }
}
