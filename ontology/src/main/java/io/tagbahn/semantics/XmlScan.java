// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.semantics;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.parsers.SAXParser;
import javax.xml.parsers.SAXParserFactory;
import org.jspecify.annotations.Nullable;
import org.xml.sax.Attributes;
import org.xml.sax.InputSource;
import org.xml.sax.Locator;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;
import org.xml.sax.XMLReader;
import org.xml.sax.ext.DefaultHandler2;
import org.xml.sax.ext.Locator2;

/**
 * A reading of RDF/XML before Jena's: with limits on entities and nesting of this parser's own, whatever the JVM's
 * properties say (their defaults differ from Java 17 to 25).
 *
 * <p>Jena is then given the text with its entities written out and without the DOCTYPE, so that no entity is ever
 * expanded by a parser whose limits are not ours.
 */
final class XmlScan {

    /** References to entities in one document. */
    static final int ENTITY_REFERENCES_MAX = 20_000;

    /** Characters that all entities of a document may come to. */
    static final int ENTITY_CHARACTERS_MAX = 2_000_000;

    /**
     * Elements inside each other. Jena's parser, which reads the document after this, has the JVM's limits, and from
     * Java 24 on those are 100 levels and 200 attributes: what one node can read, every node must be able to read.
     */
    static final int NESTING_MAX = 100;

    private static final int ATTRIBUTES_MAX = 200;
    private static final int NAME_CHARACTERS_MAX = 1_000;
    private static final String NO_LIMIT = "0";
    private static final String LIMIT = "http://www.oracle.com/xml/jaxp/properties/";
    private static final String SAX_FEATURE = "http://xml.org/sax/features/";

    private XmlScan() {}

    /** The text of a document that was found to be harmless, without DOCTYPE and entities. */
    static String check(byte[] document, int nestingMax) {
        Sentry sentry = new Sentry(Math.min(nestingMax, NESTING_MAX));
        try {
            reader(sentry).parse(new InputSource(new ByteArrayInputStream(document)));
        } catch (SAXParseException e) {
            throw BadDocument.at(e.getLineNumber(), e.getColumnNumber(), String.valueOf(e.getMessage()));
        } catch (SAXException | IOException e) {
            throw BadDocument.at(sentry.line(), sentry.column(), String.valueOf(e.getMessage()));
        }
        String text = DocumentText.decode(document, sentry.charset());
        return sentry.hasDocType ? new EntityExpansion(text, sentry.entities).expanded() : text;
    }

    private static XMLReader reader(Sentry sentry) throws SAXException {
        try {
            SAXParserFactory factory = SAXParserFactory.newDefaultInstance();
            factory.setNamespaceAware(true);
            SAXParser parser = factory.newSAXParser();
            parser.setProperty(LIMIT + "entityExpansionLimit", Integer.toString(ENTITY_REFERENCES_MAX));
            parser.setProperty(LIMIT + "totalEntitySizeLimit", Integer.toString(ENTITY_CHARACTERS_MAX));
            parser.setProperty(LIMIT + "maxGeneralEntitySizeLimit", Integer.toString(ENTITY_CHARACTERS_MAX));
            parser.setProperty(LIMIT + "maxParameterEntitySizeLimit", Integer.toString(ENTITY_CHARACTERS_MAX));
            parser.setProperty(LIMIT + "elementAttributeLimit", Integer.toString(ATTRIBUTES_MAX));
            parser.setProperty(LIMIT + "maxXMLNameLimit", Integer.toString(NAME_CHARACTERS_MAX));
            // The sentry counts, with a message of its own.
            parser.setProperty(LIMIT + "maxElementDepth", NO_LIMIT);
            XMLReader reader = parser.getXMLReader();
            reader.setFeature(SAX_FEATURE + "external-general-entities", false);
            reader.setFeature(SAX_FEATURE + "external-parameter-entities", false);
            reader.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
            reader.setProperty("http://xml.org/sax/properties/lexical-handler", sentry);
            reader.setProperty("http://xml.org/sax/properties/declaration-handler", sentry);
            reader.setContentHandler(sentry);
            reader.setEntityResolver(sentry);
            reader.setErrorHandler(sentry);
            return reader;
        } catch (ParserConfigurationException e) {
            throw new IllegalStateException("the JDK's XML parser lacks namespaces", e);
        }
    }

    /** Watches the events of one reading. */
    private static final class Sentry extends DefaultHandler2 {

        private final int nestingMax;
        private final Map<String, String> entities = new HashMap<>();
        private @Nullable Locator locator;
        private @Nullable String encoding;
        private boolean hasDocType;
        private int nesting;

        Sentry(int nestingMax) {
            this.nestingMax = nestingMax;
        }

        long line() {
            return locator == null ? 0 : locator.getLineNumber();
        }

        long column() {
            return locator == null ? 0 : locator.getColumnNumber();
        }

        Charset charset() {
            return encoding == null ? StandardCharsets.UTF_8 : Charset.forName(encoding);
        }

        @Override
        public void setDocumentLocator(Locator locator) {
            this.locator = locator;
        }

        @Override
        public void startDTD(String name, @Nullable String publicId, @Nullable String systemId) {
            hasDocType = true;
            if (publicId != null || systemId != null) {
                throw complaint("a DOCTYPE outside the document (nothing is fetched)");
            }
        }

        @Override
        public void internalEntityDecl(String name, String value) {
            if (value.indexOf('<') >= 0) {
                throw complaint("the entity '" + name + "' holds markup");
            }
            // The first declaration binds (XML 1.0, section 4.2).
            entities.putIfAbsent(name, value);
        }

        @Override
        public void externalEntityDecl(String name, @Nullable String publicId, String systemId) {
            throw complaint("the entity '" + name + "' lies outside the document (nothing is fetched)");
        }

        @Override
        public void attributeDecl(
                String element, String attribute, String type, @Nullable String mode, @Nullable String value) {
            throw complaint("attributes declared in the DOCTYPE");
        }

        @Override
        public void skippedEntity(String name) {
            throw complaint("the entity '" + name + "' is not declared in the document");
        }

        @Override
        public InputSource resolveEntity(
                @Nullable String name, @Nullable String publicId, @Nullable String baseUri, @Nullable String systemId) {
            throw complaint("'" + systemId + "' lies outside the document (nothing is fetched)");
        }

        @Override
        public void error(SAXParseException e) throws SAXException {
            throw e;
        }

        @Override
        public void fatalError(SAXParseException e) throws SAXException {
            throw e;
        }

        @Override
        public void startPrefixMapping(String prefix, String uri) {
            checkIri(uri);
        }

        @Override
        public void startElement(String uri, String localName, String qName, Attributes attributes) {
            // Late enough for the parser to have found the encoding, unlike startDocument.
            if (encoding == null && locator instanceof Locator2 located) {
                encoding = located.getEncoding();
            }
            if (++nesting > nestingMax) {
                throw complaint("nested deeper than " + nestingMax + " levels");
            }
            for (int i = 0; i < attributes.getLength(); i++) {
                switch (attributes.getQName(i)) {
                    case "rdf:about", "rdf:resource", "rdf:datatype", "xml:base" -> checkIri(attributes.getValue(i));
                    default -> {
                        // Texts, and names that cannot hold an IRI.
                    }
                }
            }
        }

        @Override
        public void endElement(String uri, String localName, String qName) {
            nesting--;
        }

        private void checkIri(String iri) {
            String head = iri.substring(0, Math.min(iri.length(), 12)).toLowerCase(Locale.ROOT);
            if (head.startsWith("_:")) {
                throw complaint("'" + iri + "' is no IRI (a blank node is named with rdf:nodeID)");
            }
            if (head.startsWith("javascript:") || head.startsWith("vbscript:") || head.startsWith("data:")) {
                throw complaint("'" + iri + "' has a scheme that a browser would execute");
            }
        }

        private BadDocument complaint(String what) {
            return BadDocument.at(line(), column(), what);
        }
    }
}
