import { contractDefaultNames } from "../../../../provider/config/releases/contractFeatures";
import {
  checkContractForTalos,
  checkVersionContract,
  type VersionContract,
  versionContract,
  versionContracts,
} from "../../../../provider/config/releases/versionContract";

test("every contract from v1.0 to v1.14 is found by its name", () => {
  expect(versionContracts).toHaveLength(15);
  for (const name of versionContracts) {
    expect(checkVersionContract(name)).toBeUndefined();
    expect(versionContract(name).name).toBe(name);
  }
});

test.each([
  ["v1.15", 'version contract "v1.15" is not supported; supported: "v1.0" to "v1.14"'],
  ["v0.14", 'version contract "v0.14" is not supported; supported: "v1.0" to "v1.14"'],
  [
    "1.12",
    'write the version contract as "v1.12", not "1.12": it names a Talos minor, not a release',
  ],
  [
    "v1.12.1",
    'write the version contract as "v1.12", not "v1.12.1": it names a Talos minor, not a release',
  ],
  [
    "banana",
    '"banana" is not a version contract: write the Talos minor that the cluster was created with; supported: "v1.0" to "v1.14"',
  ],
])("%s is rejected", (name, message) => {
  expect(checkVersionContract(name)).toBe(message);
  expect(() => versionContract(name)).toThrow(message);
});

/** The features that two contracts do not share. */
function differences(left: string, right: string): string[] {
  const [a, b] = [versionContract(left), versionContract(right)];
  return (Object.keys(a) as (keyof VersionContract)[]).filter(
    (feature) => feature !== "name" && a[feature] !== b[feature],
  );
}

test.each([
  ["v1.5", "v1.6", ["kubePrism"]],
  ["v1.8", "v1.9", []],
  ["v1.9", "v1.10", []],
  ["v1.10", "v1.11", ["volumeDocuments", "secureEncryptedEphemeral"]],
  [
    "v1.11",
    "v1.12",
    [
      "stableHostnameFlag",
      "keyUsageFlag",
      "rbacFlag",
      "noPodSecurityPolicyFlag",
      "networkDocuments",
      "grubUseUkiCmdline",
      "onlyGivenInterfaces",
      "endpointInCertSans",
    ],
  ],
  ["v1.12", "v1.13", ["networkSection", "kubeSpanDocument"]],
  [
    "v1.13",
    "v1.14",
    [
      "systemDocuments",
      "kubernetesDocuments",
      "secureEphemeral",
      "filesystemTrim",
      "workloadIsolation",
      "openHealthChecks",
      "encryptedSecretsOnly",
    ],
  ],
])("from %s to %s changes %j", (left, right, features) => {
  expect(differences(left, right)).toEqual(features);
});

test("a feature of one minor alone", () => {
  const having = versionContracts.filter((name) => versionContract(name).kubernetesRegistryMirror);
  expect(having).toEqual(["v1.2"]);
});

test("a contract with the defaults of another differs from it in form alone", () => {
  const contract = versionContract("v1.14", { contractDefaults: "v1.5" });
  const former = versionContract("v1.5");
  const others = (Object.keys(former) as (keyof VersionContract)[]).filter(
    (feature) => contract[feature] !== former[feature],
  );
  expect(others.filter((name) => contractDefaultNames.includes(name as never))).toEqual([]);
  expect(others).toContain("kubernetesDocuments");
  const taken = versionContract("v1.14", { contractDefaults: "v1.5", newDefaults: ["kubePrism"] });
  expect({ ...contract, kubePrism: true }).toEqual(taken);
});

describe("contract and Talos", () => {
  test.each([
    ["v1.12", "v1.12.0"],
    ["v1.12", "v1.13.9"],
    ["v1.0", "v1.10.6"],
    ["v1.13", "banana"],
    ["banana", "v1.12.1"],
  ])("%s on %s", (contract, talosVersion) => {
    expect(checkContractForTalos(contract, talosVersion)).toBeUndefined();
  });

  test("a newer contract is rejected, with both remedies", () => {
    expect(checkContractForTalos("v1.13", "v1.12.1")).toBe(
      'version contract "v1.13" is newer than Talos v1.12.1, which may not be able to read it: run Talos v1.13 or newer on the machines, or write "v1.12" for a cluster that does not exist yet',
    );
  });
});
