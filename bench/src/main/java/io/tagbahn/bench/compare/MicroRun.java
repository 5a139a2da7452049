// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.compare;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What JMH's JSON says of a run: the median of each fork of each benchmark. */
final class MicroRun {

    private final Map<String, List<Double>> medians = new LinkedHashMap<>();
    private final Map<String, String> units = new LinkedHashMap<>();

    /** @param json an array with an object for each benchmark */
    static MicroRun parse(String json) {
        MicroRun run = new MicroRun();
        for (JsonElement each : JsonParser.parseString(json).getAsJsonArray()) {
            JsonObject benchmark = each.getAsJsonObject();
            JsonObject metric = benchmark.getAsJsonObject("primaryMetric");
            String name = name(benchmark);
            run.units.put(name, metric.get("scoreUnit").getAsString());
            List<Double> ofForks = new ArrayList<>();
            for (JsonElement fork : metric.getAsJsonArray("rawData")) {
                ofForks.add(Comparison.median(numbers(fork.getAsJsonArray())));
            }
            run.medians.put(name, ofForks);
        }
        return run;
    }

    /** Class and method, and the parameters where there are some. */
    private static String name(JsonObject benchmark) {
        String full = benchmark.get("benchmark").getAsString();
        String shortened = full.substring(full.lastIndexOf('.', full.lastIndexOf('.') - 1) + 1);
        if (!benchmark.has("params")) {
            return shortened;
        }
        List<String> parameters = new ArrayList<>();
        benchmark
                .getAsJsonObject("params")
                .entrySet()
                .forEach(each ->
                        parameters.add(each.getKey() + "=" + each.getValue().getAsString()));
        return shortened + parameters;
    }

    private static double[] numbers(JsonArray array) {
        double[] numbers = new double[array.size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = array.get(i).getAsDouble();
        }
        return numbers;
    }

    /** Benchmarks with the unit of their times. */
    Map<String, String> units() {
        return units;
    }

    /** One of each fork. */
    List<Double> medians(String benchmark) {
        return medians.getOrDefault(benchmark, List.of());
    }
}
