// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import java.util.List;

/** Rows for people to read: columns aligned, two blanks between them. */
final class Table {

    private Table() {}

    static void print(Output out, List<List<String>> rows) {
        int columns = rows.stream().mapToInt(List::size).max().orElse(0);
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < row.size(); i++) {
                widths[i] = Math.max(widths[i], width(row.get(i)));
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.size(); i++) {
                line.append(row.get(i));
                if (i + 1 < row.size()) {
                    line.append(" ".repeat(widths[i] - width(row.get(i)) + 2));
                }
            }
            out.line(line.toString().stripTrailing());
        }
    }

    private static int width(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
