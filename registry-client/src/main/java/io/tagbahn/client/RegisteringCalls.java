// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.client;

import io.tagbahn.model.Criticality;
import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.LeaseGrant;
import io.tagbahn.model.LeaseRef;
import io.tagbahn.model.RegisterMode;
import io.tagbahn.model.RegisterRequest;
import io.tagbahn.model.StaleGeneration;
import io.tagbahn.model.Tag;
import io.tagbahn.model.TagWarning;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The calls that a registration is made of, a long list of tags in parts. */
final class RegisteringCalls {

    private static final Pattern TAG_FIELD = Pattern.compile("serviceTags\\[(\\d{1,9})](.*)");

    private final CallGuard guard;
    private final RegistryClientConfig config;
    private final LongSupplier nanos;

    RegisteringCalls(CallGuard guard, RegistryClientConfig config, LongSupplier nanos) {
        this.guard = guard;
        this.config = config;
        this.nanos = nanos;
    }

    /**
     * Registers data as the whole truth about the instance: one REPLACE, followed by one ADD for each further part, all
     * of one generation, one after another. Where one fails, the whole has failed.
     */
    CompletionStage<LeaseGrant> register(LeaseData data) {
        List<List<Tag>> parts = TagParts.split(
                data.tags(),
                config.lease().tagsPerCallMax(),
                config.connection().frameBytesMax());
        return register(
                data,
                parts,
                0,
                0,
                nanos.getAsLong() + config.call().writeTimeout().toNanos());
    }

    private CompletableFuture<LeaseGrant> register(
            LeaseData data, List<List<Tag>> parts, int index, int tagsBefore, long deadlineNanos) {
        RegisterRequest request = new RegisterRequest(
                data.instance(),
                parts.get(index),
                Optional.of(config.lease().duration()),
                index == 0 ? RegisterMode.REPLACE : RegisterMode.ADD,
                OptionalLong.of(data.generation()));
        Duration left = Duration.ofNanos(Math.max(1, deadlineNanos - nanos.getAsLong()));
        CompletableFuture<LeaseGrant> part = guard.call(
                        left, Criticality.CRITICAL, (node, context) -> node.advertise(request, context))
                .exceptionallyCompose(error -> CompletableFuture.failedFuture(whole(error, tagsBefore)));
        if (index == parts.size() - 1) {
            return part;
        }
        int tagsSoFar = tagsBefore + parts.get(index).size();
        return part.thenCompose(grant -> register(data, parts, index + 1, tagsSoFar, deadlineNanos)
                .thenApply(last -> withWarnings(grant, last)));
    }

    CompletionStage<Void> deregister(LeaseRef lease, Duration timeout) {
        return guard.call(timeout, Criticality.CRITICAL, (node, context) -> node.deregister(lease, context))
                .exceptionallyCompose(error -> Failures.unwrap(error) instanceof StaleGeneration
                        ? CompletableFuture.completedFuture(null) // another process has taken its place already
                        : CompletableFuture.failedFuture(error));
    }

    /** What is wrong with a tag of a part, told by its place in the whole list. */
    private static Throwable whole(Throwable error, int tagsBefore) {
        if (Failures.unwrap(error) instanceof InvalidArgument invalid) {
            Matcher field = TAG_FIELD.matcher(invalid.field());
            if (field.matches()) {
                return invalid.at(
                        "serviceTags[" + (Integer.parseInt(field.group(1)) + tagsBefore) + "]" + field.group(2));
            }
        }
        return error;
    }

    private static LeaseGrant withWarnings(LeaseGrant first, LeaseGrant last) {
        List<TagWarning> warnings = new ArrayList<>(first.warnings());
        warnings.addAll(last.warnings());
        return new LeaseGrant(
                last.instanceId(),
                last.generation(),
                last.lease(),
                last.heartbeat(),
                Math.min(first.copiesMade(), last.copiesMade()),
                last.copiesWanted(),
                warnings);
    }
}
