import { contracts, expectGenerated, problemsOf } from "./expectGenerated";

test.each(contracts)("%s has the kubelet's flags as text", (contract) => {
  expectGenerated(
    contract,
    { kubeletExtraArgs: { "max-pods": "250", "node-ip": ["10.0.0.1"], v: 4 as never } },
    {
      config: {
        machine: { kubelet: { extraArgs: { "max-pods": "250", "node-ip": "10.0.0.1", v: "4" } } },
      },
    },
  );
  expectGenerated(contract, { kubeletExtraArgs: {} }, {});
});

test.each(contracts)("%s registers nodes with their full names", (contract) => {
  const expected = { config: { machine: { kubelet: { registerWithFQDN: true } } } };
  expectGenerated(contract, { registerWithFqdn: true }, expected);
  expectGenerated(contract, { registerWithFqdn: true, machineType: "worker" }, expected);
  expectGenerated(contract, { registerWithFqdn: false }, {});
});

test("v1.13 also has lists, and so has an older contract on Talos v1.13", () => {
  const kubeletExtraArgs = { "node-labels": ["a=b", "c=d"] };
  const expected = { config: { machine: { kubelet: { extraArgs: kubeletExtraArgs } } } };
  expectGenerated("v1.13", { kubeletExtraArgs }, expected);
  expect(
    problemsOf({ kubeletExtraArgs, versionContract: "v1.12", talosVersion: "v1.13.9" }),
  ).toEqual([]);
  for (const older of [
    { versionContract: "v1.12" },
    { versionContract: "v1.10", talosVersion: "v1.12.1" },
  ]) {
    expect(problemsOf({ kubeletExtraArgs, ...older })).toEqual([
      "kubeletExtraArgs.node-labels: has 2 values, but Talos reads lists since v1.13: write one text, with commas between where the flag takes that",
    ]);
  }
});

test("all problems are reported", () => {
  const kubeletExtraArgs = { "--max-pods": "1", config: "/x", "max-pods": [], node_ip: "1" };
  const form = 'is not a flag of kubelet: write it without dashes before it, like "max-pods"';
  expect(problemsOf({ kubeletExtraArgs })).toEqual([
    `kubeletExtraArgs["--max-pods"]: "--max-pods" ${form}`,
    "kubeletExtraArgs.config: can't be set: Talos sets it itself; leave it out",
    "kubeletExtraArgs.max-pods: is an empty list: write a value, or leave the flag out",
    `kubeletExtraArgs.node_ip: "node_ip" ${form}`,
  ]);
});
