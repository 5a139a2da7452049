// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.server.edge.thrift;

import io.tagbahn.model.CallContext;
import io.tagbahn.model.CatalogPage;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.rpc.RpcCall;
import io.tagbahn.rpc.RpcService;
import io.tagbahn.semantics.MatchQuery;
import io.tagbahn.server.edge.Answer;
import io.tagbahn.server.service.WatchService;
import io.tagbahn.thrift.CatalogQuery;
import io.tagbahn.thrift.Discovery;
import io.tagbahn.thrift.SemanticQuery;
import io.tagbahn.thrift.WatchQuery;
import io.tagbahn.thrift.WatchResult;
import io.tagbahn.wire.WireMeaning;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** The methods of the Thrift API by which changes are followed. */
public final class WatchEdge {

    private final WatchService watches;
    private final FrontDoor door;

    private WatchEdge(WatchService watches, FrontDoor door) {
        this.watches = watches;
        this.door = door;
    }

    /** @param door that has let the calls in */
    public static RpcService serviceOf(WatchService watches, FrontDoor door) {
        WatchEdge edge = new WatchEdge(watches, door);
        RpcService.Builder service = RpcService.builder();
        service.method(
                "catalog",
                Discovery.catalog_args::new,
                (arguments, call) -> Answer.of(
                        new Discovery.catalog_result(),
                        () -> edge.catalog(arguments.getQuery(), call).thenApply(WatchEdge::toWire),
                        Discovery.catalog_result::setSuccess));
        service.method(
                "watch",
                Discovery.watch_args::new,
                (arguments, call) -> Answer.of(
                        new Discovery.watch_result(),
                        () -> edge.watch(arguments.getQuery(), call),
                        Discovery.watch_result::setSuccess));
        return service.build();
    }

    private CompletionStage<CatalogPage> catalog(CatalogQuery query, RpcCall call) {
        return watches.catalog(
                Optional.ofNullable(query.getToken()).filter(token -> !token.isEmpty()),
                query.isSetLimit() ? OptionalInt.of(query.getLimit()) : OptionalInt.empty(),
                wait(query.isSetWaitMillis(), query.getWaitMillis()),
                context(query.getContext(), call));
    }

    private static io.tagbahn.thrift.CatalogPage toWire(CatalogPage page) {
        return new io.tagbahn.thrift.CatalogPage(page.added(), page.removed(), page.token(), page.more(), page.reset());
    }

    private CompletionStage<WatchResult> watch(WatchQuery query, RpcCall call) {
        Optional<String> token = Optional.ofNullable(query.getToken()).filter(text -> !text.isEmpty());
        Optional<Duration> wait = wait(query.isSetWaitMillis(), query.getWaitMillis());
        CallContext context = context(query.getContext(), call);
        if (query.getTarget().isSetServiceTags()) {
            return watches.watchTags(query.getTarget().getServiceTags(), token, wait, context)
                    .thenApply(told -> toWire(told, false));
        }
        if (query.getTarget().isSetSemantic()) {
            SemanticQuery semantic = query.getTarget().getSemantic();
            MatchQuery meant;
            try {
                meant = WireMeaning.fromWire(semantic);
            } catch (InvalidArgument e) {
                throw e.within("target.semantic");
            }
            return watches.watchMeaning(meant, WireMeaning.near(semantic), token, wait, context)
                    .thenApply(told -> toWire(told, meant.explain()));
        }
        throw new InvalidArgument("target", "neither serviceTags nor semantic");
    }

    private static WatchResult toWire(WatchService.Told told, boolean explained) {
        boolean changed = told.tags().isPresent() || told.meant().isPresent();
        WatchResult result = new WatchResult(told.token(), changed);
        told.tags().ifPresent(found -> result.setTags(ThriftEdge.toWire(found)));
        told.meant().ifPresent(found -> result.setSemantic(MeaningEdge.toWire(found, explained)));
        return result;
    }

    private static Optional<Duration> wait(boolean present, long millis) {
        return present ? Optional.of(Duration.ofMillis(millis)) : Optional.empty();
    }

    private CallContext context(io.tagbahn.thrift.@Nullable CallContext wire, RpcCall call) {
        return door.admitted(wire, call);
    }
}
