// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.bench.plot;

import java.util.List;
import java.util.Map;

/** What was measured, for people, spreadsheets and browsers. */
public interface Report {

    /** The main table: rows of texts without commas, the first one the head. */
    List<List<String>> table();

    /** Tables besides, by names that are good for files. */
    default Map<String, List<List<String>>> moreTables() {
        return Map.of();
    }

    /** SVG documents by names that are good for files. */
    Map<String, String> plots();

    /**
     * A page with all of it that needs nothing else.
     *
     * @param machine what it ran on, in words
     */
    String html(String machine);

    /** The main table as spreadsheets read it. */
    default String csv() {
        return csv(table());
    }

    /** A table as spreadsheets read it. */
    static String csv(List<List<String>> table) {
        StringBuilder csv = new StringBuilder();
        table.forEach(row -> csv.append(String.join(",", row)).append('\n'));
        return csv.toString();
    }
}
