import type { Patch } from "../../../provider";
import { LAB } from "../support/labRelease";
import type { LifeWish } from "./lifeWish";

/**
 * What has to come of a bad value.
 *
 * - `refused`: the preview says what is wrong; nothing is sent to a machine
 * - `fails`: the run fails at its deadline, and names what is broken. Later machines have nothing of it
 * - `refused or fails`: one of both
 * - `done`: it does no harm, and the run says so by its success
 */
export type Expected = "refused" | "fails" | "refused or fails" | "done";

/** A bad value in a cluster's program. */
export interface BadValue {
  /** A sentence's end: "… and it is taken back". */
  readonly name: string;
  readonly change: Partial<LifeWish>;
  readonly expected: Expected;
  /** What the run's errors contain. */
  readonly says: RegExp;
  /**
   * Who may have something of it when it has failed: the first machine of a role; or, where the machines are well with
   * it and the manifests fail, all of the control plane. Default: `controlplane`.
   */
  readonly reaches?: "controlplane" | "worker" | "manifests";
}

/** Seconds after which a change counts as failed: longer than a good one takes on a busy computer. */
const DEADLINE_SECONDS = 90;

const controlPlane = (...patches: Patch[]): Partial<LifeWish> => ({
  patches: { controlplane: patches },
  applyTimeoutSeconds: DEADLINE_SECONDS,
});
const everywhere = (...patches: Patch[]): Partial<LifeWish> => ({
  patches: { controlplane: patches, worker: patches },
  applyTimeoutSeconds: DEADLINE_SECONDS,
});
const workers = (patch: Patch): Partial<LifeWish> => ({
  patches: { worker: [patch] },
  applyTimeoutSeconds: DEADLINE_SECONDS,
});
const manifests = (patch: Patch): Partial<LifeWish> => ({
  patches: { controlplane: [patch] },
  manifestsTimeoutSeconds: DEADLINE_SECONDS,
});

/** A flag that Talos denies: its controller then renders nothing at all (internal/app/machined/pkg/controllers/k8s). */
const denied = (component: string, flag: string): BadValue => ({
  name: `${component}: the flag ${flag}, which Talos sets itself`,
  change: controlPlane({ cluster: { [component]: { extraArgs: { [flag]: "/x" } } } }),
  expected: "refused",
  says: new RegExp(flag),
});

/** A flag that a component doesn't know: it ends, again and again. */
const unknownFlag = (component: string, process: string): BadValue => ({
  name: `${component}: a flag that it does not know`,
  change: controlPlane({ cluster: { [component]: { extraArgs: { "no-such-flag": "1" } } } }),
  expected: "refused",
  says: new RegExp(`no flag "no-such-flag" of ${process}`),
});

/** A flag of the API server with a value that ends it. */
const badFlag = (what: string, flag: string, value: string, says: RegExp): BadValue => ({
  name: `apiServer: ${what}`,
  change: controlPlane({ cluster: { apiServer: { extraArgs: { [flag]: value } } } }),
  expected: "refused",
  says,
});

/** Another patch release of the Kubernetes that the cluster runs: none that the lab has. */
function releaseOf(patch: number): string {
  return LAB.kubernetes.former.replace(/\d+$/, `${patch}`);
}

/** An image that no registry has. */
const noImage = (component: string, image: string, process: string): BadValue => ({
  name: `${component}: an image that does not exist`,
  change: controlPlane({ cluster: { [component]: { image: `${image}:${releaseOf(99)}` } } }),
  expected: "fails",
  says: new RegExp(process),
});

const NO_TIME = { machine: { time: { disabled: false, servers: ["10.7.0.1"] } } };

/** Two patches for each: a merge alone would add the endpoints to those of the lab. */
const DEAD_MIRRORS: Patch[] = ["registry.k8s.io", "ghcr.io"].flatMap((registry) =>
  [{ $patch: "delete" }, { endpoints: ["http://10.7.0.1:1"], skipFallback: true }].map(
    (mirror): Patch => ({ machine: { registries: { mirrors: { [registry]: mirror } } } }),
  ),
);

/** All that a cluster has to survive. One more is one more entry. */
export const BAD_VALUES: readonly BadValue[] = [
  denied("apiServer", "encryption-provider-config"),
  denied("controllerManager", "root-ca-file"),
  denied("scheduler", "config"),
  denied("proxy", "kubeconfig"),
  denied("etcd", "data-dir"),
  {
    name: "kubelet: the flag cert-dir, which Talos sets itself",
    change: everywhere({ machine: { kubelet: { extraArgs: { "cert-dir": "/x" } } } }),
    expected: "refused",
    says: /cert-dir/,
  },
  unknownFlag("apiServer", "kube-apiserver"),
  unknownFlag("controllerManager", "kube-controller-manager"),
  unknownFlag("scheduler", "kube-scheduler"),
  unknownFlag("etcd", "etcd"),
  {
    name: "kubelet: a flag that it does not know",
    change: everywhere({ machine: { kubelet: { extraArgs: { "no-such-flag": "1" } } } }),
    expected: "refused",
    says: /no flag "no-such-flag" of kubelet/,
  },
  {
    name: "kubelet: a field of its configuration that does not exist",
    change: everywhere({ machine: { kubelet: { extraConfig: { noSuchField: true } } } }),
    expected: "refused or fails",
    says: /noSuchField|kubelet/,
  },
  {
    name: "kubelet: a DNS server that is no address",
    change: everywhere({ machine: { kubelet: { clusterDNS: ["no-address"] } } }),
    expected: "refused",
    says: /no-address/,
  },
  {
    name: "kubelet: subnets that hold none of its addresses",
    change: workers({ machine: { kubelet: { nodeIP: { validSubnets: ["192.0.2.0/24"] } } } }),
    expected: "fails",
    says: /kubelet|192\.0\.2\.0/,
    reaches: "worker",
  },
  badFlag("a feature gate that does not exist", "feature-gates", "NoSuchGate=true", /NoSuchGate/),
  badFlag("a feature gate that is locked", "feature-gates", "NodeSwap=false", /always true/),
  badFlag("a flag that Kubernetes removed", "cloud-provider", "external", /removed in v1\.33/),
  badFlag("a flag's value of another type", "event-ttl", "3", /"3" is not a duration/),
  badFlag(
    "an admission plugin that does not exist",
    "enable-admission-plugins",
    "NoPlugin",
    /NoPlugin/,
  ),
  {
    name: "etcd: a flag in the spelling of Kubernetes",
    change: controlPlane({ cluster: { etcd: { extraArgs: { max_txn_ops: "256" } } } }),
    expected: "refused",
    says: /did you mean "max-txn-ops"/,
  },
  {
    name: "kubelet: a setting of another type",
    change: everywhere({ machine: { kubelet: { extraConfig: { shutdownGracePeriod: 30 } } } }),
    expected: "refused",
    says: /shutdownGracePeriod: has to be a text/,
  },
  {
    name: "kubelet: a feature gate that does not exist",
    change: everywhere({
      machine: { kubelet: { extraConfig: { featureGates: { NoGate: true } } } },
    }),
    expected: "refused",
    says: /no feature gate "NoGate"/,
  },
  {
    name: "apiServer: a file that is missing",
    change: controlPlane({
      cluster: {
        apiServer: { extraArgs: { "authentication-token-webhook-config-file": "/no/such/file" } },
      },
    }),
    expected: "fails",
    says: /kube-apiserver/,
  },
  {
    name: "apiServer: an admission plugin's configuration that it can't read",
    change: controlPlane({
      cluster: {
        apiServer: {
          admissionControl: [{ name: "PodSecurity", configuration: { kind: "Nonsense" } }],
        },
      },
    }),
    expected: "refused",
    says: /"Nonsense" isn't known here/,
  },
  {
    name: "apiServer: an admission plugin's configuration whose file is missing",
    change: controlPlane({
      cluster: {
        apiServer: {
          admissionControl: [
            {
              name: "ValidatingAdmissionWebhook",
              configuration: {
                apiVersion: "apiserver.config.k8s.io/v1",
                kind: "WebhookAdmissionConfiguration",
                kubeConfigFile: "/no/such/file",
              },
            },
          ],
        },
      },
    }),
    expected: "fails",
    says: /kube-apiserver/,
  },
  {
    name: "a bad flag of the API server with a file that takes a reboot",
    change: controlPlane(
      { cluster: { apiServer: { extraArgs: { "no-such-flag": "1" } } } },
      {
        machine: {
          files: [{ content: "life", permissions: 0o644, path: "/var/etc/life", op: "create" }],
        },
      },
    ),
    expected: "refused",
    says: /no-such-flag/,
  },
  noImage("apiServer", "registry.k8s.io/kube-apiserver", "kube-apiserver"),
  noImage("scheduler", "registry.k8s.io/kube-scheduler", "kube-scheduler"),
  {
    name: "etcd: an image that does not exist",
    change: controlPlane({ cluster: { etcd: { image: "registry.k8s.io/etcd:v3.99.0" } } }),
    expected: "fails",
    says: /etcd/,
  },
  {
    name: "etcd: advertised subnets that hold none of its addresses",
    change: controlPlane({ cluster: { etcd: { advertisedSubnets: ["192.0.2.0/24"] } } }),
    expected: "refused or fails",
    says: /etcd|192\.0\.2\.0/,
  },
  {
    name: "a worker's kubelet: an image that does not exist",
    change: workers({
      machine: { kubelet: { image: `ghcr.io/siderolabs/kubelet:${releaseOf(99)}` } },
    }),
    expected: "fails",
    says: /kubelet/,
    reaches: "worker",
  },
  {
    name: "registry mirrors that are dead",
    change: { patches: { controlplane: DEAD_MIRRORS, worker: DEAD_MIRRORS } },
    expected: "done",
    says: /^/,
  },
  {
    name: "registry mirrors that are dead, and another kubelet",
    change: everywhere(...DEAD_MIRRORS, {
      machine: { kubelet: { image: `ghcr.io/siderolabs/kubelet:${releaseOf(9)}` } },
    }),
    expected: "fails",
    says: /failed to pull image "ghcr\.io\/siderolabs\/kubelet:v1\.\d+\.9": .*refused/,
  },
  {
    name: "time servers that don't answer",
    change: { patches: { controlplane: [NO_TIME], worker: [NO_TIME] } },
    expected: "done",
    says: /^/,
  },
  {
    name: "another pod network",
    change: manifests({ cluster: { network: { cni: { name: "flannel" } } } }),
    expected: "refused",
    says: /flannel.*acceptedChanges/s,
  },
  {
    name: "CoreDNS: an image that does not exist",
    change: manifests({
      cluster: { coreDNS: { image: "registry.k8s.io/coredns/coredns:v9.9.9" } },
    }),
    expected: "fails",
    says: /coredns/,
    reaches: "manifests",
  },
  {
    name: "kube-proxy: a flag that it does not know",
    change: manifests({ cluster: { proxy: { extraArgs: { "no-such-flag": "1" } } } }),
    expected: "refused",
    says: /no flag "no-such-flag" of kube-proxy/,
  },
  {
    name: "a manifest that the API refuses",
    change: manifests({
      cluster: {
        inlineManifests: [
          {
            name: "life",
            contents: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: life}\ndata: {a: 5}\n",
          },
        ],
      },
    }),
    expected: "fails",
    says: /ConfigMap default\/life/,
    reaches: "manifests",
  },
];
