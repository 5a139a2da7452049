// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.wire;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.Iri;
import io.tagbahn.model.OntologyEffect;
import io.tagbahn.model.OntologyInfo;
import io.tagbahn.model.OntologyReceipt;
import io.tagbahn.peer.OntologyHead;
import io.tagbahn.peer.OntologyHeads;
import java.util.List;
import java.util.Optional;

/** Ontologies on the wire. */
public final class WireOntology {

    private WireOntology() {}

    /** @throws InvalidArgument with field {@code iri} */
    public static Iri iri(String text) {
        try {
            return new Iri(text);
        } catch (InvalidArgument e) {
            throw e.at("iri");
        }
    }

    public static io.tagbahn.thrift.OntologyInfo toWire(OntologyInfo info) {
        return new io.tagbahn.thrift.OntologyInfo(
                info.iri().value(),
                info.contentHash(),
                info.version(),
                info.triples(),
                info.concepts(),
                info.properties());
    }

    public static OntologyInfo fromWire(io.tagbahn.thrift.OntologyInfo wire) {
        return new OntologyInfo(
                iri(wire.getIri()),
                wire.getContentHash(),
                wire.getVersion(),
                wire.getTriples(),
                wire.getConcepts(),
                wire.getProperties());
    }

    public static io.tagbahn.thrift.OntologyReceipt toWire(OntologyReceipt receipt) {
        io.tagbahn.thrift.OntologyReceipt wire =
                new io.tagbahn.thrift.OntologyReceipt(toWire(receipt.info()), receipt.warnings());
        receipt.effect()
                .ifPresent(effect -> wire.setEffect(new io.tagbahn.thrift.OntologyEffect(
                        effect.tagsGaining(), effect.tagsLosing(), effect.examples())));
        return wire;
    }

    public static OntologyReceipt fromWire(io.tagbahn.thrift.OntologyReceipt wire) {
        return new OntologyReceipt(
                fromWire(wire.getInfo()),
                wire.getWarnings(),
                Optional.ofNullable(wire.getEffect())
                        .map(effect -> new OntologyEffect(
                                effect.getTagsGaining(), effect.getTagsLosing(), effect.getExamples())));
    }

    // ------------------------------------------------------------ between nodes

    public static io.tagbahn.thrift.peer.OntologyHead toWire(OntologyHead head) {
        return new io.tagbahn.thrift.peer.OntologyHead(
                head.iri(), head.version(), head.contentHash(), head.mediaType(), head.bytes());
    }

    /** @throws InvalidArgument where another node sent what is no head */
    public static OntologyHead fromWire(io.tagbahn.thrift.peer.OntologyHead wire) {
        iri(wire.getIri());
        if (wire.getBytes() < 0) {
            throw new InvalidArgument("bytes", wire.getBytes() + " is not within 0..");
        }
        return new OntologyHead(
                wire.getIri(), wire.getVersion(), wire.getContentHash(), wire.getMediaType(), wire.getBytes());
    }

    public static io.tagbahn.thrift.peer.OntologyHeads toWire(OntologyHeads heads) {
        List<io.tagbahn.thrift.peer.OntologyHead> wire =
                heads.heads().stream().map(WireOntology::toWire).toList();
        return new io.tagbahn.thrift.peer.OntologyHeads(WirePeer.toWire(heads.node()), heads.digest(), wire);
    }

    public static OntologyHeads fromWire(io.tagbahn.thrift.peer.OntologyHeads wire) {
        List<OntologyHead> heads =
                wire.getHeads().stream().map(WireOntology::fromWire).toList();
        return new OntologyHeads(WirePeer.fromWire(wire.getNode()), wire.getDigest(), heads);
    }
}
