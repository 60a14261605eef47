package dev.toolgate.docs;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.assignableTo;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.lang.ArchRule;
import dev.toolgate.core.call.CallJson;
import dev.toolgate.core.call.Caller;
import dev.toolgate.core.pipeline.CallProgress;
import dev.toolgate.core.pipeline.Pipeline;
import dev.toolgate.http.routing.Exchange;
import dev.toolgate.runtime.ToolRouter;
import dev.toolgate.server.gate.CallCollector;
import dev.toolgate.server.gate.CallRequest;
import dev.toolgate.server.gate.Callers;
import dev.toolgate.server.gate.Gate;
import dev.toolgate.server.gate.HeldCallRunner;
import dev.toolgate.server.gate.Identified;
import dev.toolgate.server.gate.Impersonation;
import dev.toolgate.server.gate.Submitted;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Doors cannot bypass the gate, because only a few classes can construct callers. */
class CallerConstructionTest {
    private static final JavaClasses CLASSES = ProductClasses.ALL;

    private static final Set<String> GATE = Stream.of(
                    Gate.class,
                    CallRequest.class,
                    Callers.class,
                    CallCollector.class,
                    HeldCallRunner.class,
                    Identified.class,
                    Impersonation.class,
                    Submitted.class)
            .map(Class::getName)
            .collect(Collectors.toSet());

    @Test
    void only_the_gate_the_router_and_the_store_construct_callers() {
        callersAreMadeBy(isOneOf(Caller.class, Callers.class, ToolRouter.class, CallProgress.class, CallJson.class)
                        .or(resideInAPackage("dev.toolgate.store..")))
                .check(CLASSES);
    }

    @Test
    void the_rule_detects_a_caller_constructed_elsewhere() {
        ArchRule withoutTheGate =
                callersAreMadeBy(isOneOf(Caller.class, ToolRouter.class, CallProgress.class, CallJson.class)
                        .or(resideInAPackage("dev.toolgate.store..")));

        assertThatThrownBy(() -> withoutTheGate.check(CLASSES)).hasMessageContaining(Callers.class.getName());
    }

    @Test
    void only_the_gate_and_the_router_call_the_pipeline() {
        noClasses()
                .that(describe(
                        "are neither of the gate nor the router",
                        from -> !isOfGate(from)
                                && !from.isEquivalentTo(ToolRouter.class)
                                && !from.isEquivalentTo(Pipeline.class)))
                .should()
                .callMethodWhere(JavaAccess.Predicates.target(owner(assignableTo(Pipeline.class))))
                .check(CLASSES);
    }

    @Test
    void the_gate_depends_on_no_http_type() {
        classes()
                .that(describe("belong to the gate", CallerConstructionTest::isOfGate))
                .should()
                .onlyDependOnClassesThat(describe(
                        "are no HTTP types",
                        to -> !to.getPackageName().startsWith(Exchange.class.getPackageName())
                                && !to.getPackageName().startsWith("java.net")
                                && !to.getPackageName().startsWith("org.eclipse.jetty")
                                && !to.getPackageName().startsWith("jakarta.servlet")))
                .check(CLASSES);
    }

    private static ArchRule callersAreMadeBy(DescribedPredicate<JavaClass> makers) {
        return noClasses()
                .that(DescribedPredicate.not(makers))
                .should()
                .accessTargetWhere(describe("makes a caller", CallerConstructionTest::makesACaller));
    }

    // By the constructor, or by a method that returns a modified copy.
    private static boolean makesACaller(JavaAccess<?> access) {
        return access.getTargetOwner().isEquivalentTo(Caller.class)
                && access.getTarget() instanceof AccessTarget.CodeUnitAccessTarget target
                && (target.getName().equals(JavaConstructor.CONSTRUCTOR_NAME)
                        || target.getRawReturnType().isEquivalentTo(Caller.class));
    }

    private static boolean isOfGate(JavaClass type) {
        return GATE.contains(type.getName())
                || type.getEnclosingClass()
                        .filter(CallerConstructionTest::isOfGate)
                        .isPresent();
    }

    private static DescribedPredicate<JavaClass> isOneOf(Class<?>... types) {
        Set<String> names = Stream.of(types).map(Class::getName).collect(Collectors.toSet());
        return describe("are one of " + names, type -> names.contains(type.getName()));
    }
}
