import { componentLife } from "./support/componentLife";
import { simulatedMachines } from "./support/machinesOfLife";

// The same life on real machines: test/conformance/labComponentLife.test.ts.
describe.each([
  ["v1.12.1", "v1.12", { former: "v1.34.3", next: "v1.35.0" }],
  ["v1.14.1", "v1.14", { former: "v1.36.3", next: "v1.37.2" }],
] as const)(
  "a TalosCluster on simulated machines of Talos %s",
  (talosVersion, versionContract, kubernetes) => {
    componentLife(() => simulatedMachines({ talosVersion, versionContract, kubernetes }));
  },
);
