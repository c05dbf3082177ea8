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

test.each(contracts)("%s has a discovery service of one's own", (contract) => {
  const endpoint = "https://discovery.example.com";
  expectGenerated(
    contract,
    { discoveryEndpoint: endpoint },
    { config: { cluster: { discovery: { registries: { service: { endpoint } } } } } },
  );
});

test("a discovery service is a URL without a path, and needs discovery", () => {
  expect(problemsOf({ discoveryEndpoint: "discovery.example.com" })).toEqual([
    'discoveryEndpoint: "discovery.example.com" is not the URL of a discovery service: write it without a path, like "https://discovery.example.com"',
  ]);
  expect(problemsOf({ discoveryEndpoint: "https://a.example.com/", discovery: false })).toEqual([
    "discoveryEndpoint: has no effect without discovery: turn discovery on, or leave it out",
  ]);
});
