import { cilium } from "../../../../components/addOns/cilium/cilium";
import type { CiliumAddOn } from "../../../../components/addOns/cilium/ciliumAddOn";
import type { KnownSettings } from "../../../../components/addOns/common/addOn";
import type { AddOnScope } from "../../../../components/addOns/common/addOnScope";
import { ownObjects } from "../../../../components/addOns/ownObjects";
import { podNetworkFacts, type PodNetworkFacts } from "./podNetworkFacts";
import { type ChartFacts, renderChart } from "./renderChart";
import recorded from "./testdata/chart.json";

/** The program of Helm, and `install/kubernetes/cilium` of the release that `testdata/chart.json` is recorded from. */
const { HELM, CILIUM_CHART } = process.env;

const chart: ChartFacts = recorded;
const scope: AddOnScope = {
  clusterName: "c",
  region: "us-east-1",
  kubernetesVersion: "v1.35.0",
  controlPlanes: 3,
  recordName: "k8s.example.com",
};
const variants: Readonly<Record<keyof ChartFacts, KnownSettings<CiliumAddOn>>> = {
  usual: {},
  kubeProxy: { kubeProxyReplacement: false },
  everything: { hubble: true, metrics: true, wireGuard: true, gatewayApi: true },
};

/** The facts of a part, one a line. */
const lines = (value: unknown, path = ""): string[] => {
  if (typeof value !== "object" || value === null) {
    return [`${path}: ${String(value)}`];
  }
  return Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
    Array.isArray(value) ? [`${path}: ${String(inner)}`] : lines(inner, `${path}/${key}`),
  );
};

/** What only one of both says: `-` the chart, `+` this package. */
const differences = (name: keyof ChartFacts, part: keyof PodNetworkFacts): string[] => {
  const theirs = lines(chart[name][part]);
  const ours = lines(podNetworkFacts(ownObjects(cilium, scope, variants[name]))[part]);
  return [
    ...theirs.filter((each) => !ours.includes(each)).map((each) => `- ${each}`),
    ...ours.filter((each) => !theirs.includes(each)).map((each) => `+ ${each}`),
  ].sort();
};

const all = (verbs: readonly string[], what: string) =>
  verbs.map((verb) => what.replace("VERB", verb));
const READ = ["get", "list", "watch"];

describe("Cilium's objects say what the chart of its release says", () => {
  // Only what is the default of its program is left out.
  const DEFAULTS = ["- /debug: false", "- /debug-verbose: "];
  const NO_SECRETS = "- /policy-secrets-namespace: cilium-secrets";
  const NO_METRICS = ["+ /enable-metrics: false", "- /proxy-prometheus-port: 9964"];
  const HEALTH = "- /kube-proxy-replacement-healthz-bind-address: ";

  it.each([
    ["usual", [...NO_METRICS, ...DEFAULTS, HEALTH, NO_SECRETS]],
    ["kubeProxy", [...NO_METRICS, ...DEFAULTS, NO_SECRETS]],
    [
      "everything",
      // Flows are on no port.
      [
        ...DEFAULTS,
        "- /hubble-disable-tls: true",
        "- /hubble-listen-address: :4244",
        HEALTH,
        NO_SECRETS,
      ],
    ],
  ] as const)("in their settings: %s", (name, expected) => {
    expect(differences(name, "settings")).toEqual([...expected].sort());
  });

  it.each(["usual", "kubeProxy", "everything"] as const)("in no right more: %s", (name) => {
    const anywhere = "- /cilium-operator in all namespaces: VERB";
    const inSystem = "- /cilium-operator in kube-system: VERB";
    // For ztunnel, which is off, and for what of the Gateway API has no definition here.
    const unused = [
      ...all(READ, `${anywhere} /serviceaccounts`),
      ...all(READ, `${inSystem} /serviceaccounts`),
      ...all([...READ, "create", "delete"], `${inSystem} apps/daemonsets`),
    ];
    const ofGateways = [
      ...all(READ, `${anywhere} gateway.networking.k8s.io/referencepolicies`),
      ...all(READ, `${anywhere} multicluster.x-k8s.io/serviceimports`),
    ];
    const ofSecrets = all(READ, "- /cilium in cilium-secrets: VERB /secrets");
    expect(differences(name, "rights")).toEqual(
      [...unused, ...(name === "everything" ? ofGateways : ofSecrets)].sort(),
    );
  });

  it.each(["usual", "kubeProxy", "everything"] as const)("in their containers: %s", (name) => {
    // Talos has mounted what one of these mounts, and has nothing that the other corrects.
    const isNeedless = (each: string) => /^- \/(apply-sysctl-overwrites|mount-bpf-fs)\//.test(each);
    expect(differences(name, "containers").filter((each) => !isNeedless(each))).toEqual(
      [
        "- /cilium-agent/environment: CILIUM_CLUSTERMESH_CONFIG /var/lib/cilium/clustermesh/",
        "- /cilium-agent/mounts: /var/lib/cilium/clustermesh readOnly",
        "- /cilium-operator/environment: CILIUM_DEBUG",
        "- /config/command: --k8s-api-server-urls=",
        ...(name === "everything" ? ["- /cilium-agent/ports: 4244"] : []),
      ].sort(),
    );
    expect(differences(name, "hostPaths")).toEqual(["- /cilium: /proc Directory"]);
  });

  it("in which objects there are, but for names of ports, which need no Service", () => {
    expect(differences("usual", "objects")).toEqual(["- : Namespace/cilium-secrets"]);
    expect(differences("everything", "objects")).toEqual([
      "- : Service/cilium-agent",
      "- : Service/hubble-metrics",
      "- : Service/hubble-peer",
      "- : ValidatingAdmissionPolicy/gateway.cilium.io",
    ]);
  });

  it("in no privileged container", () => {
    const { containers } = podNetworkFacts(ownObjects(cilium, scope, variants.everything));
    const privileged = Object.values(containers).filter(({ isPrivileged }) => isPrivileged);
    expect(privileged).toEqual([]);
    expect(JSON.stringify(containers)).not.toContain("SYS_MODULE");
  });
});

describe.skipIf(HELM === undefined || CILIUM_CHART === undefined)("the recorded chart", () => {
  it("is what Helm renders", async () => {
    const rendered = renderChart(HELM ?? "", CILIUM_CHART ?? "");
    await expect(`${JSON.stringify(rendered, undefined, 2)}\n`).toMatchFileSnapshot(
      "testdata/chart.json",
    );
  });
});
