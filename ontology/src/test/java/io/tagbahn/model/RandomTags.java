// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.model;

import java.util.Random;

/** Legal tags of every kind with characters of planes 0 to 3, the same ones for the same seed. */
final class RandomTags {

    private static final String XSD = "http://www.w3.org/2001/XMLSchema#";
    private static final String[] TYPES = {
        "integer", "decimal", "double", "float", "boolean", "dateTime", "string", "byte", "unsignedLong", "date"
    };

    private final Random random;

    RandomTags(long seed) {
        random = new Random(seed);
    }

    Tag next() {
        return switch (random.nextInt(4)) {
            case 0 -> iri();
            case 1 -> new ServiceName("n" + text().replaceAll("[\\p{Cntrl}\u0080-\u009F\\s\\p{Z}<>\"{}|\\\\^`:]", "-"));
            default -> new Statement(iri(), iri(), random.nextBoolean() ? iri() : literal());
        };
    }

    private Iri iri() {
        String[] starts = {"http://example.org/", "urn:x:", "https://h.example:8443/a?b#", "tag:"};
        String tail = text().replaceAll("[\\p{Cntrl}\u0080-\u009F\u2028\u2029 <>\"{}|\\\\^`%]", "%41");
        return new Iri(starts[random.nextInt(starts.length)] + tail);
    }

    private Literal literal() {
        return switch (random.nextInt(3)) {
            case 0 -> Literal.inLanguage(text(), random.nextBoolean() ? "EN" : "pt-BR");
            case 1 -> Literal.of(text());
            default -> Literal.of(number(), new Iri(XSD + TYPES[random.nextInt(TYPES.length)]));
        };
    }

    private String number() {
        return switch (random.nextInt(6)) {
            case 0 -> Integer.toString(random.nextInt());
            case 1 -> "+00" + random.nextInt(1000) + ".50";
            case 2 -> Double.toString(Double.longBitsToDouble(random.nextLong()));
            case 3 -> Float.toString(Float.intBitsToFloat(random.nextInt()));
            case 4 ->
                "%04d-0%d-1%dT2%d:00:00.%d0+0%d:30"
                        .formatted(
                                random.nextInt(9999),
                                random.nextInt(10),
                                random.nextInt(10),
                                random.nextInt(5),
                                random.nextInt(1000),
                                random.nextInt(10));
            default -> text();
        };
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(12);
        while (length-- > 0) {
            int c = switch (random.nextInt(4)) {
                case 0 -> random.nextInt(0x80);
                case 1 -> random.nextInt(0x800);
                case 2 -> random.nextInt(0x10000);
                default -> 0x10000 + random.nextInt(0x30000);
            };
            text.appendCodePoint(c >= 0xD800 && c < 0xE000 ? 'x' : c);
        }
        return text.toString();
    }
}
