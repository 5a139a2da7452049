// SPDX-License-Identifier: Apache-2.0
package io.tagbahn.cli;

import com.google.gson.JsonObject;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;

/** What a measurement says of the machine that it ran on. */
final class MachineForm {

    private MachineForm() {}

    static String inWords() {
        JsonObject machine = here();
        return machine.get("processors").getAsInt() + " processors, "
                + machine.get("system").getAsString() + ", "
                + machine.get("java").getAsString();
    }

    static JsonObject here() {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        JsonObject machine = new JsonObject();
        machine.addProperty("processors", system.getAvailableProcessors());
        machine.addProperty("system", system.getName() + " " + system.getVersion() + " " + system.getArch());
        machine.addProperty("java", System.getProperty("java.vm.name") + " " + System.getProperty("java.version"));
        if (system instanceof com.sun.management.OperatingSystemMXBean more) {
            machine.addProperty("memoryBytes", more.getTotalMemorySize());
        }
        // Negative where the system does not tell.
        double load = system.getSystemLoadAverage();
        if (load >= 0) {
            machine.addProperty("loadAverage", load);
        }
        return machine;
    }
}
