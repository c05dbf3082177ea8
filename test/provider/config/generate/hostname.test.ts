import { generateMachineConfig } from "../../../../provider/config/generateMachineConfig";
import { contracts, expectGenerated, inputWith, problemsOf } from "./expectGenerated";

test.each(["v1.10", "v1.11"])("%s has the hostname in machine.network", (contract) => {
  const hostname = "node-1.example.com";
  expectGenerated(contract, { hostname }, { config: { machine: { network: { hostname } } } });
});

test.each(["v1.12", "v1.13"])("%s has it in HostnameConfig", (contract) => {
  const documents = (hostname?: string) =>
    generateMachineConfig(inputWith(contract, { hostname })).filter(
      ({ kind }) => kind === "HostnameConfig",
    );
  const document = { apiVersion: "v1alpha1", kind: "HostnameConfig" };
  expect(documents()).toEqual([{ ...document, auto: "stable" }]);
  expect(documents("node-1")).toEqual([{ ...document, hostname: "node-1" }]);
  expectGenerated(
    contract,
    { hostname: "node-1" },
    { documents: [{ kind: "HostnameConfig", hostname: "node-1" }] },
  );
});

test.each(contracts)("%s leaves the choice to Talos by default", (contract) => {
  expectGenerated(contract, {}, {});
});

test.each(["Node", "node_1", "-a", "a..b", "", "x".repeat(64), `${"a.".repeat(127)}a`])(
  "%j is not a valid hostname",
  (hostname) => {
    expect(problemsOf({ hostname })).toEqual([
      `hostname: "${hostname}" is not a name for a machine: lower-case letters, digits and "-", up to 63 between dots, 253 in all`,
    ]);
  },
);
