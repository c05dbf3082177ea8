import { judgeAuthorities } from "../../../../provider/config/authorityPath";
import { birthChanges, birthValues } from "../../../../provider/config/birth/birthSettings";
import { comparableOutlines } from "../../../../provider/config/effects/comparableOutlines";
import { ineffectiveChanges } from "../../../../provider/config/effects/ineffectiveChanges";
import { judgeKubernetesPath, releaseOf } from "../../../../provider/config/kubernetesPath";
import type { ConfigDocument, YamlValue } from "../../../../provider/config/machineConfig";
import {
  manifestInputs,
  namedManifests,
  removedManifests,
} from "../../../../provider/config/manifestInputs";
import { changedPlannedSettings } from "../../../../provider/config/plannedSettings";
import {
  kubeletVersion,
  newerThanApiServer,
} from "../../../../provider/config/releases/kubernetesSkew";
import { removedInKubernetes } from "../../../../provider/config/releases/removedInKubernetes";
import { installerOf } from "../../../../provider/config/settings/installer";
import { pathOf, withoutMember, withValue } from "../../../../provider/config/settings/keyPaths";
import { placeOf } from "../../../../provider/config/settings/settingIn";
import { installedMinor, installedSystem } from "../../../../provider/config/talosSystem";
import { imagesOf } from "../../../../provider/lifecycle/upgrade/controlPlaneImages";
import { hostnameProblems } from "../../../../provider/resources/hostnameProblems";
import { documentForm } from "./documentForm";
import { sampleSettings } from "./sampleSettings";

/** What reads a configuration, or judges its change. */
const readers: Readonly<
  Record<string, (before: ConfigDocument, after: ConfigDocument) => unknown>
> = {
  installer: (_, after) => [installerOf(after), installedMinor(after), installedSystem([after])],
  releaseOf: (_, after) => [releaseOf(after), kubeletVersion(after), imagesOf(after)],
  judgeKubernetesPath,
  newerThanApiServer: (_, after) => newerThanApiServer(after, undefined),
  removedInKubernetes: (before, after) => [
    removedInKubernetes(undefined, after),
    removedInKubernetes(before, after),
  ],
  judgeAuthorities,
  comparable: (before, after) => comparableOutlines(before, after)[0] === before,
  ineffectiveChanges: (before, after) => [
    ineffectiveChanges(before, after).filter(({ path }) => !LISTED.test(path)),
    ineffectiveChanges(before, after, { isUpgraded: true, isSynced: true }),
  ],
  manifestInputs: (_, after) => withoutForms(manifestInputs(after)),
  removedManifests: (before, after) =>
    removedManifests(manifestInputs(before), manifestInputs(after)),
  birthChanges: (before, after) => birthChanges(before, after, 14),
  birthValues: (_, after) => birthValues(after, 14),
  plannedSettings: (before, after) => changedPlannedSettings(before, after, planned),
  hostnameProblems: (before, after) => hostnameProblems(after, [["another", before]]),
};

/** A URL in a list has another place than one in a document of its own. */
const LISTED = /^cluster\.extraManifests$|^KubeExternalManifestConfig\//;

/** A document names what fields leave to Talos. */
function withoutForms({ "cluster.network.cni": _, ...rest }: Readonly<Record<string, string>>) {
  return rest;
}

const wayOut = "set the argument";
const planned = {
  "cluster.clusterName": { wayOut },
  "cluster.network.podSubnets": { value: ["10.244.0.0/16"], wayOut },
  "cluster.network.cni.name": { value: "flannel", default: "flannel", wayOut },
  "cluster.apiServer.certSANs": { allows: "more", wayOut },
  "cluster.apiServer.extraArgs.secure-port": { wayOut },
  "machine.kubelet.nodeIP.validSubnets": { allows: "wider", wayOut },
  "machine.features.kubePrism.enabled": { value: true, default: false, wayOut },
  "machine.features.kubePrism.port": { value: 7445, default: 7445, wayOut },
  "cluster.ca": { wayOut },
  "machine.network.hostname": { wayOut },
  "machine.kubelet.extraArgs.hostname-override": { wayOut },
  "machine.network.kubespan.enabled": { value: false, default: false, wayOut },
} as const;

type Change = readonly [field: string, value: YamlValue | undefined, ...more: string[]];

/** Changes of the sample; without a value, the setting goes. */
const changes: readonly Change[] = [
  ["machine.install.image", "factory.talos.dev/aws-installer/abc:v1.14.2"],
  ["machine.install.wipe", true],
  ["machine.kubelet.image", "ghcr.io/siderolabs/kubelet:v1.37.0"],
  ["machine.kubelet.extraArgs.register-with-taints", "a=b:NoSchedule"],
  ["machine.kubelet.extraArgs.hostname-override", "one"],
  ["machine.kubelet.extraConfig.featureGates", { CSIMigrationPortworx: true }],
  ["machine.kubelet.nodeIP.validSubnets", ["10.0.1.0/24"]],
  ["machine.network.hostname", "one"],
  ["machine.network.kubespan.enabled", true],
  ["machine.features.kubePrism.port", 7446],
  ["machine.features.kubernetesTalosAPIAccess", { enabled: true, allowedRoles: ["os:reader"] }],
  ["cluster.apiServer.image", "registry.k8s.io/kube-apiserver:v1.37.1"],
  ["cluster.apiServer.image", "registry.k8s.io/kube-apiserver:v1.34.1"],
  ["cluster.apiServer.extraArgs.feature-gates", "HonorPVReclaimPolicy=true"],
  ["cluster.apiServer.extraArgs.secure-port", "7443"],
  ["cluster.apiServer.extraArgs.service-account-issuer", "https://issuer.example.com"],
  ["cluster.apiServer.certSANs", ["other.example.com"]],
  ["cluster.controllerManager.image", "registry.k8s.io/kube-controller-manager:v1.37.0"],
  ["cluster.controllerManager.extraArgs.cluster-cidr", "10.245.0.0/16"],
  ["cluster.scheduler.image", "registry.k8s.io/kube-scheduler:v1.37.0"],
  ["cluster.proxy.image", "registry.k8s.io/kube-proxy:v1.37.0"],
  ["cluster.proxy.mode", "iptables"],
  ["cluster.proxy.disabled", true],
  ["cluster.coreDNS.disabled", false],
  ["cluster.coreDNS.image", "registry.k8s.io/coredns:v1.14.7"],
  ["cluster.network.cni", { name: "none" }],
  ["cluster.network.podSubnets", ["10.245.0.0/16"]],
  ["cluster.network.dnsDomain", "other.local"],
  ["cluster.clusterName", "other"],
  ["cluster.controlPlane.endpoint", "https://10.0.0.2:6443"],
  ["cluster.id", "b3RoZXI="],
  ["cluster.secret", "b3RoZXI="],
  ["cluster.ca.crt", "«certificate sha256:5e6f7a8b»"],
  ["cluster.ca.crt", "«certificate sha256:00000000»"],
  ["cluster.acceptedCAs", undefined],
  ["cluster.aggregatorCA.crt", "«certificate sha256:00000000»"],
  ["cluster.serviceAccount.key", "«secret sha256:00000000»"],
  ["cluster.secretboxEncryptionSecret", "«secret sha256:00000000»"],
  ["cluster.inlineManifests.one.contents", "kind: ConfigMap"],
  ["cluster.inlineManifests.one", undefined],
  ["cluster.extraManifests", ["https://example.com/two.yaml"]],
];

describe.each(changes.map(([field, value]) => ({ field, to: JSON.stringify(value), value })))(
  "a change of $field to $to",
  ({ field, value }) => {
    const path = pathOf(field);
    const changed =
      value === undefined
        ? withoutMember(sampleSettings, path)
        : withValue(sampleSettings, path, value);
    const [before, after] = [sampleSettings, changed].map(documentForm) as [
      ConfigDocument,
      ConfigDocument,
    ];

    it.each(Object.entries(readers))("is the same in both forms to %s", (_, read) => {
      expect(inFields(read(before, after), [before, after])).toEqual(read(sampleSettings, changed));
    });

    it("changes something that is judged", () => {
      const verdicts = ([one, other]: readonly [ConfigDocument, ConfigDocument]) =>
        JSON.stringify(Object.values(readers).map((read) => read(one, other)));
      expect(verdicts([before, after])).not.toBe(verdicts([before, before]));
    });
  },
);

describe("names of manifests", () => {
  it("are those of the documents, as Talos has them", () => {
    expect(namedManifests(sampleSettings)).toEqual(["one", "https://example.com/one.yaml"]);
    expect(namedManifests(documentForm(sampleSettings))).toEqual(["one", "extra-1"]);
  });
});

/** What a reader says of documents, with the places of fields. */
function inFields(verdict: unknown, outlines: readonly ConfigDocument[]): unknown {
  const sections = [
    "cluster.inlineManifests.one",
    "cluster.proxy",
    "cluster.coreDNS",
    "cluster.ca",
  ];
  const fields = [...changes.map(([field]) => field), ...sections, "cluster.apiServer.extraArgs"];
  const places = outlines.flatMap((outline) =>
    fields.map((field) => [placeOf(outline, pathOf(field)).join("."), field] as const),
  );
  const text = places
    .filter(([place, field]) => place !== field)
    .sort(([one], [other]) => other.length - one.length)
    .reduce((all, [place, field]) => all.replaceAll(place, field), JSON.stringify([verdict]));
  return (JSON.parse(text) as readonly unknown[])[0] ?? undefined;
}
