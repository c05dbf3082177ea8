import {
  type ContractDefault,
  contractDefaultNames,
} from "../../provider/config/releases/contractFeatures";
import { contractHas } from "../../provider/config/releases/versionContract";
import { settingsOracleFingerprint } from "../../scripts/ensureSettingsOracle";
import { readRises, type ReadRise, recordedRiseOracle } from "./support/contractChanges";

/** What each default changes of what Talos reads; other names are those of the settings oracle. */
const CHANGED_BY: Readonly<Record<ContractDefault, readonly string[]>> = {
  podSecurityAdmission: ["cluster.apiServer.admissionControl"],
  stableHostname: ["automatic name"],
  defaultSeccompProfile: ["machine.kubelet.defaultRuntimeSeccompProfileEnabled"],
  kubernetesRegistryMirror: ["mirrors"],
  diskQuota: ["disk quota"],
  kubePrism: ["machine.features.kubePrism.enabled", "machine.features.kubePrism.port"],
  hostDns: ["machine.features.hostDNS.enabled", "host DNS"],
  hostDnsForPods: ["machine.features.hostDNS.forwardKubeDNSToHost"],
  controlPlaneOffLoadBalancers: ["machine.nodeLabels"],
  secureEncryptedEphemeral: ["EPHEMERAL secure"],
  onlyGivenInterfaces: ["default DHCP", "link documents", "interfaces"],
  endpointInCertSans: ["cluster.apiServer.certSANs"],
  secureEphemeral: ["EPHEMERAL secure"],
  filesystemTrim: ["trim"],
  workloadIsolation: ["isolation"],
  openHealthChecks: ["anonymous", "probes"],
  encryptedSecretsOnly: ["encryption"],
};

/** What has another form in documents. The authorizers are the same: see `authorizers`. */
const FORMS_OF_CONTROL_PLANES: readonly string[] = [
  "authentication by file",
  "kube-proxy by file",
  "cluster.apiServer.authorizationConfig",
];

/** What only control planes install, so that documents of workers leave it out. */
const NOT_OF_WORKERS: readonly string[] = [
  ...["name", "flannel.extraArgs", "flannel.kubeNetworkPoliciesEnabled"].map(
    (key) => `cluster.network.cni.${key}`,
  ),
  "cluster.extraManifests",
];

/** What documents have otherwise in any case: the form of two components, and what older contracts had. */
function ofDocuments({ contract, type }: ReadRise): readonly string[] {
  const isWorker = type === "worker";
  return [
    ...(isWorker ? NOT_OF_WORKERS : FORMS_OF_CONTROL_PLANES),
    ...(contractHas(contract, "noManifestsDirectory") ? [] : ["manifests directory"]),
    ...(contractHas(contract, "noKubernetesDiscovery") ? [] : ["discovery by API"]),
    // Nothing on a worker reads it.
    ...(isWorker && !contractHas(contract, "clusterNameOnWorkers") ? ["cluster.clusterName"] : []),
  ];
}

/** What Talos reads otherwise, but for what documents and some defaults change. */
function othersOf(rise: ReadRise, allowed: readonly string[]) {
  return Object.entries(rise.differences)
    .filter(([name]) => ![...ofDocuments(rise), ...allowed].includes(name))
    .map(([name, values]) => ({ contract: rise.contract, name, ...values }));
}

/**
 * A cluster whose contract rises means what it meant: Talos' own interfaces, which its controllers ask,
 * give the same values before and after, whatever the options. Others are only those of the defaults that
 * it takes by their names.
 */
describe("the meaning of a configuration whose contract rises to v1.14", () => {
  let rises: readonly ReadRise[];
  beforeAll(async () => {
    rises = await readRises();
  });

  it("stays the same, for every option and every former contract", () => {
    const kept = rises.filter(({ newDefaults }) => newDefaults.length === 0);
    const told = kept.flatMap((rise) => othersOf(rise, []));
    expect(told).toEqual([]);
    expect(kept.length).toBeGreaterThanOrEqual(300);
    expect(new Set(kept.map(({ contract }) => contract)).size).toBe(14);
  });

  it("changes by the defaults alone that are taken, each of which counts", () => {
    const seen = new Set<string>();
    const others = rises.flatMap((rise) => {
      othersOf(rise, []).forEach(({ name }) => seen.add(name));
      return othersOf(
        rise,
        rise.newDefaults.flatMap((name) => CHANGED_BY[name]),
      );
    });
    expect(others).toEqual([]);
    const unseen = contractDefaultNames.filter((name) =>
      CHANGED_BY[name].every((each) => !seen.has(each)),
    );
    expect(unseen).toEqual([]);
  });

  it("was recorded with the current code", () => {
    expect(recordedRiseOracle(), "record anew: npm run conformance -- --record").toBe(
      settingsOracleFingerprint(),
    );
  });
});
