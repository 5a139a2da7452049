// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.load;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Operations with their shares: {@code tagDiscover=90,register=10}, or one name alone.
 *
 * @param shares whole numbers of any sum
 */
public record Mix(Map<Operation, Integer> shares) {

    private static final int SHARE_MAX = 1_000_000;

    public Mix {
        shares = Map.copyOf(shares);
        if (shares.isEmpty() || shares.values().stream().anyMatch(share -> share < 1 || share > SHARE_MAX)) {
            throw new IllegalArgumentException("shares " + shares);
        }
    }

    /** @throws IllegalArgumentException where the text is none */
    public static Mix parse(String text) {
        Map<Operation, Integer> shares = new EnumMap<>(Operation.class);
        for (String part : text.split(",", -1)) {
            String[] pair = part.strip().split("=", 2);
            Operation operation = Operation.named(pair[0])
                    .orElseThrow(() -> new IllegalArgumentException("no operation '" + pair[0] + "'"));
            try {
                if (shares.put(operation, pair.length == 1 ? 1 : Integer.parseInt(pair[1])) != null) {
                    throw new IllegalArgumentException(pair[0] + " is there twice");
                }
            } catch (NumberFormatException e) {
                throw new IllegalArgumentException("share '" + pair[1] + "' is no whole number", e);
            }
        }
        return new Mix(shares);
    }

    List<Operation> operations() {
        List<Operation> operations = new ArrayList<>(shares.keySet());
        operations.sort(null);
        return operations;
    }

    /** Draws one. */
    Operation next(RandomGenerator random) {
        int sum = shares.values().stream().mapToInt(Integer::intValue).sum();
        int drawn = random.nextInt(sum);
        for (Operation operation : operations()) {
            drawn -= shares.getOrDefault(operation, 0);
            if (drawn < 0) {
                return operation;
            }
        }
        throw new IllegalStateException("shares " + shares + " do not add up to " + sum);
    }

    /** As it is read; the name alone where there is but one. */
    @Override
    public String toString() {
        List<Operation> operations = operations();
        return operations.size() == 1
                ? operations.get(0).method()
                : operations.stream()
                        .map(each -> each.method() + "=" + shares.get(each))
                        .collect(Collectors.joining(","));
    }
}
