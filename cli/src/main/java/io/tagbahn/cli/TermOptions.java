// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import io.tagbahn.model.InvalidArgument;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How short terms are written out. */
final class TermOptions {

    private static final Pattern PREFIX = Pattern.compile("(?:\\p{L}[\\p{L}\\p{N}._-]*)?");

    @Option(
            names = "--prefix",
            paramLabel = "PREFIX=IRI",
            description =
                    "Writes out PREFIX:NAME; '=IRI' declares the empty prefix, as in :NAME. Repeatable; rdf, rdfs,"
                            + " owl, xsd and skos are known.")
    private List<String> prefixes = new ArrayList<>();

    @Option(names = "--base", paramLabel = "IRI", description = "Writes out relative IRIs in brackets, as in <NAME>.")
    private @Nullable String base;

    Terms terms() {
        Map<String, String> declared = new HashMap<>();
        for (String declaration : prefixes) {
            int equals = declaration.indexOf('=');
            if (equals < 0) {
                throw new InvalidArgument("--prefix", "'" + declaration + "' is not PREFIX=IRI");
            }
            String prefix = declaration.substring(0, equals);
            String iri = unbracketed(declaration.substring(equals + 1));
            if (prefix.endsWith(":")) {
                prefix = prefix.substring(0, prefix.length() - 1);
            }
            if (!PREFIX.matcher(prefix).matches()) {
                throw new InvalidArgument(
                        "--prefix", "'" + prefix + "' is no prefix: a letter, then letters, digits, . _ -");
            }
            declared.put(prefix, absolute("--prefix", iri));
        }
        return new Terms(declared, Optional.ofNullable(base).map(iri -> absolute("--base", unbracketed(iri))));
    }

    private static String unbracketed(String iri) {
        return iri.startsWith("<") && iri.endsWith(">") ? iri.substring(1, iri.length() - 1) : iri;
    }

    private static String absolute(String option, String iri) {
        if (!IriReference.isAbsolute(iri)) {
            throw new InvalidArgument(option, "'" + iri + "' is no absolute IRI");
        }
        return iri;
    }
}
