// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.tagbahn.model.InvalidArgument;
import io.tagbahn.model.InvalidServiceName;
import io.tagbahn.model.NoPeersAvailable;
import io.tagbahn.model.NotFound;
import io.tagbahn.model.NotReady;
import io.tagbahn.model.OutcomeUnknown;
import io.tagbahn.model.Overloaded;
import io.tagbahn.model.RegistryException;
import io.tagbahn.model.RegistryFault;
import io.tagbahn.model.Signal;
import io.tagbahn.model.StaleGeneration;
import io.tagbahn.model.Unauthorized;
import io.tagbahn.model.Unreachable;
import io.tagbahn.thrift.Discovery;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.thrift.TBase;
import org.apache.thrift.TFieldIdEnum;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WireErrorsTest {

    static Stream<RegistryException> errorsOfRegistration() {
        return Stream.of(
                new InvalidServiceName("empty", ""),
                new InvalidArgument("serviceTags[3]", "is a relative IRI"),
                new NotReady("starting", Optional.of(Duration.ofMillis(250))),
                new NotReady("starting", Optional.empty()),
                new Overloaded("busy", Signal.TRY_ELSEWHERE, Optional.empty()),
                new Overloaded("busy", Signal.RETRY_AFTER, Optional.of(Duration.ofSeconds(2))),
                new Overloaded("busy", Signal.STOP, Optional.empty()),
                new Unauthorized("no token"),
                new StaleGeneration("newer known", 42),
                new NotFound("not registered"));
    }

    @ParameterizedTest
    @MethodSource("errorsOfRegistration")
    void errorThatAMethodDeclaresArrivesAsItWas(RegistryException error) {
        assertThat(overTheWire(new Discovery.advertise_result(), error))
                .hasValueSatisfying(arrived ->
                        assertThat(arrived).usingRecursiveComparison().isEqualTo(error));
    }

    @Test
    void noPeersAvailableNamesWhatWasAskedFor() {
        NoPeersAvailable error = new NoPeersAvailable("no live instance", "books");
        assertThat(overTheWire(new Discovery.tagDiscover_result(), error))
                .hasValueSatisfying(arrived ->
                        assertThat(arrived).usingRecursiveComparison().isEqualTo(error));
    }

    @Test
    void errorThatAMethodDoesNotDeclareHasNoPlaceInItsResult() {
        assertThat(WireErrors.fail(new Discovery.status_result(), new NotFound("nothing")))
                .isEmpty();
        assertThat(WireErrors.fail(new Discovery.discover_result(), new InvalidArgument("serviceName", "bad")))
                .isEmpty();
    }

    static Stream<RegistryException> errorsOfAClient() {
        return Stream.of(new Unreachable("refused"), new OutcomeUnknown("deadline"), new RegistryFault("broken"));
    }

    @ParameterizedTest
    @MethodSource("errorsOfAClient")
    void whatOnlyAClientKnowsIsNeverSent(RegistryException error) {
        assertThat(WireErrors.fail(new Discovery.advertise_result(), error)).isEmpty();
    }

    @Test
    void resultOfASuccessHoldsNoError() {
        Discovery.deregister_result done = new Discovery.deregister_result();
        assertThat(WireErrors.error(done)).isEmpty();
    }

    private static <F extends TFieldIdEnum, R extends TBase<R, F>> Optional<RegistryException> overTheWire(
            R result, RegistryException error) {
        return WireErrors.fail(result, error).flatMap(failed -> WireErrors.error(failed.deepCopy()));
    }
}
