import { contracts, expectGenerated, problemsOf } from "./expectGenerated";

test.each(contracts)("%s names the CNI on every machine", (contract) => {
  for (const machineType of ["controlplane", "worker"] as const) {
    for (const cni of [
      { name: "none" },
      { name: "flannel" },
      { name: "custom", urls: ["https://example.com/cni.yaml"] },
    ] as const) {
      expectGenerated(
        contract,
        { machineType, cni },
        { config: { cluster: { network: { cni: cni } } } },
      );
    }
  }
});

test.each(contracts)("%s omits kube-proxy if a pod network replaces it", (contract) => {
  const expected = { config: { cluster: { proxy: { disabled: true } } } };
  expectGenerated(contract, { kubeProxy: false }, expected);
  expectGenerated(contract, { kubeProxy: false, machineType: "worker" }, {});
  expectGenerated(contract, { kubeProxy: true }, {});
});

test("all problems are reported", () => {
  expect(problemsOf({ cni: { name: "cilium" as never } })).toEqual([
    'cni.name: "cilium" is not a kind of CNI: write one of "flannel", "none", "custom"',
  ]);
  expect(problemsOf({ cni: { name: "none", urls: ["https://a/b"] } })).toEqual([
    'cni.urls: have no effect with "none": set cni.name to "custom", or leave them out',
  ]);
  expect(problemsOf({ cni: { name: "custom" } })).toEqual([
    'cni.urls: are missing: a custom CNI is installed from them; write "none" to install one later',
  ]);
  expect(problemsOf({ cni: { name: "custom", urls: ["cni.yaml"] } })).toEqual([
    'cni.urls[0]: "cni.yaml" is not a URL that can be fetched, like "https://example.com/manifest.yaml"',
  ]);
});
