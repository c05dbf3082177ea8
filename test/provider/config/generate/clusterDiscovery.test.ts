import { contracts, expectGenerated, problemsOf } from "./expectGenerated";

test.each(contracts)("%s can turn off discovery", (contract) => {
  const off = { config: { cluster: { discovery: { enabled: false } } } };
  expectGenerated(contract, { discovery: false }, off);
  expectGenerated(contract, { discovery: true, kubeSpan: false }, {});
});

test.each(contracts)("%s has KubeSpan in its field or document", (contract) => {
  expectGenerated(
    contract,
    { kubeSpan: true },
    contract === "v1.13"
      ? { documents: [{ kind: "KubeSpanConfig", enabled: true }] }
      : { config: { machine: { network: { kubespan: { enabled: true } } } } },
  );
});

test("KubeSpan needs discovery", () => {
  expect(problemsOf({ kubeSpan: true, discovery: false })).toEqual([
    "kubeSpan: needs discovery to find its peers: turn discovery on, or kubeSpan off",
  ]);
});
