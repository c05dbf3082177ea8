import type { MachineConfigInput } from "../../../provider/config/machineConfigInput";
import type { Patch } from "../../../provider/config/patches/patch";
import type { PlannedSettings } from "../../../provider/config/plannedSettings";

/** Something people get wrong about a machine configuration. */
export interface Mistake {
  readonly name: string;
  /** What they give, in place of what would be right. */
  readonly given: Partial<MachineConfigInput> & {
    readonly talosVersion?: string;
    readonly patches?: Patch[];
    readonly plannedSettings?: PlannedSettings;
  };
  /** All that they are told: the input, where in it, the value, and what to do. */
  readonly told: readonly string[];
}

const patched = (patches: Patch[]): Mistake["given"] => ({ patches });

/** Mistakes of every sort that a preview has to find. The machine is a control plane of Talos v1.12.1. */
export const mistakes: readonly Mistake[] = [
  {
    name: "an endpoint without TLS",
    given: { endpoint: "http://k8s.example.com:6443" },
    told: [
      'endpoint: "http://k8s.example.com:6443" has to start with "https://": the Kubernetes API is served over TLS only; write it like "https://k8s.example.com:6443"',
    ],
  },
  {
    name: "a Kubernetes that this Talos does not run",
    given: { kubernetesVersion: "1.36.0" },
    told: [
      'kubernetesVersion: Kubernetes "1.36.0" is too new for Talos v1.12.1, which runs Kubernetes 1.30 to 1.35: choose a version in that range, or a newer Talos',
    ],
  },
  {
    name: "a contract newer than Talos",
    given: { versionContract: "v1.13" },
    told: [
      'versionContract: version contract "v1.13" is newer than Talos v1.12.1, which may not be able to read it: run Talos v1.13 or newer on the machines, or write "v1.12" for a cluster that does not exist yet',
    ],
  },
  {
    name: "networks that overlap",
    given: { podCidrs: ["10.96.0.0/16"], serviceCidrs: ["10.96.0.0/12"] },
    told: [
      'serviceCidrs[0]: "10.96.0.0/12" overlaps with podCidrs[0], "10.96.0.0/16": pods and services need networks of their own',
    ],
  },
  {
    name: "several wrong inputs",
    given: { clusterName: "", endpoint: "k8s.example.com", talosVersion: "1.12" },
    told: [
      'clusterName: "" is not a name for a cluster: 1 to 63 letters, digits, "-", "_" and ".", starting and ending with a letter or digit',
      'endpoint: "k8s.example.com" has no scheme: write it like "https://k8s.example.com:6443"',
      'talosVersion: "1.12" is not a Talos release: write it like "v1.14.1"',
    ],
  },
  {
    name: "a misspelt key, a wrong type and a wrong word",
    given: patched([
      { machine: { sysctls: { "vm.max_map_count": "262144" } } },
      "machine: {kubelt: {}, sysctls: [a], features: {kubePrism: {port: high}}}\n---\n{apiVersion: v1alpha1, kind: NetworkDefaultActionConfig, ingress: blok}",
    ]),
    told: [
      'patches: patches[1], document 1 (v1alpha1): machine.kubelt: unknown key; did you mean "kubelet"?',
      "patches: patches[1], document 1 (v1alpha1): machine.sysctls: has to be a mapping of keys to texts, not a list",
      'patches: patches[1], document 1 (v1alpha1): machine.features.kubePrism.port: has to be a whole number, not "high"',
      'patches: patches[1], document 2 (NetworkDefaultActionConfig): ingress: "blok" is not allowed: did you mean "block"? It has to be one of "accept", "block"',
    ],
  },
  {
    name: "a misspelt kind of document",
    given: patched([
      "{apiVersion: v1alpha1, kind: KmsgLogConfg, name: a, url: 'tcp://10.0.0.1:5140'}",
    ]),
    told: [
      'patches: patches[0]: kind: "KmsgLogConfg" is not a kind of document that Talos v1.12 knows; did you mean "KmsgLogConfig"?',
    ],
  },
  {
    name: "a document of a later Talos",
    given: patched(["{apiVersion: v1alpha1, kind: KubeSpanConfig, enabled: true}"]),
    told: [
      "patches: patches[0]: kind: KubeSpanConfig is not known to Talos v1.12: it exists since v1.13",
    ],
  },
  {
    name: "a document that says too little",
    given: patched([
      "{apiVersion: v1alpha1, kind: KmsgLogConfig, name: remote}\n---\n{apiVersion: v1alpha1, kind: UserVolumeConfig, name: data}",
    ]),
    told: [
      "patches: KmsgLogConfig/remote: url: is required: where to send kernel logs, like tcp://10.0.0.1:5140",
      "patches: UserVolumeConfig/data: provisioning.diskSelector.match: is required: which disk, in CEL, like !system_disk",
      "patches: UserVolumeConfig/data: provisioning.minSize: or maxSize is required: the size of the volume",
    ],
  },
  {
    name: "a hostname in the old place",
    given: patched(["machine: {network: {hostname: node-1}}"]),
    told: [
      'patches: v1alpha1: machine.network.hostname: can\'t be set together with the document HostnameConfig: patch the document HostnameConfig instead: {apiVersion: v1alpha1, kind: HostnameConfig, auto: "off", hostname: …}',
    ],
  },
  {
    name: "two documents for one link",
    given: patched([
      "{apiVersion: v1alpha1, kind: LinkConfig, name: eth0}\n---\n{apiVersion: v1alpha1, kind: DummyLinkConfig, name: eth0}",
    ]),
    told: [
      "patches: DummyLinkConfig/eth0: can't be together with LinkConfig/eth0: both are for the same thing",
    ],
  },
  {
    name: "an address that is none",
    given: patched([
      "machine: {network: {nameservers: [10.0.0.300]}}\ncluster: {etcd: {advertisedSubnets: [x]}}",
    ]),
    told: [
      'patches: v1alpha1: machine.network.nameservers[0]: "10.0.0.300" is not an IP address, like 10.0.0.2',
      'patches: v1alpha1: cluster.etcd.advertisedSubnets[0]: "x" is not a network or address, like 10.0.0.0/8 or !10.0.0.1',
    ],
  },
  {
    name: "a taint and a label that Kubernetes refuses",
    given: patched(["machine: {nodeTaints: {dedicated: 'db:NoScedule'}, nodeLabels: {'a b': c}}"]),
    told: [
      'patches: v1alpha1: machine.nodeLabels["a b"]: "a b" is not a name that Kubernetes takes: up to 63 letters, digits, "-", "_" and ".", starting and ending with a letter or digit, optionally after a DNS name and "/"',
      'patches: v1alpha1: machine.nodeTaints.dedicated: "db:NoScedule" has no effect that Kubernetes knows: write "<value>:<effect>", the effect one of NoSchedule, PreferNoSchedule, NoExecute',
    ],
  },
  {
    name: "a range of services without an address for DNS",
    given: patched(["cluster: {network: {serviceSubnets: [10.96.0.0/29]}}"]),
    told: [
      'patches: v1alpha1: cluster.network.serviceSubnets[0]: "10.96.0.0/29" is too small for services: /28 at least, because the tenth address is the one of DNS',
    ],
  },
  {
    name: "a file that Talos can't create",
    given: patched([
      "machine: {files: [{path: /data/uploads/.keep, op: create, permissions: 0o644, content: ''}]}",
    ]),
    told: [
      'patches: v1alpha1: machine.files[0].path: "/data/uploads/.keep" can\'t be created: Talos creates files below /var only, and a machine with another one restarts in each boot; put it below /var, and mount it from there',
    ],
  },
  {
    name: "what a firewall and a load balancer are planned by",
    given: {
      ...patched([
        "cluster: {network: {cni: {name: none}}, controlPlane: {localAPIServerPort: 443}}",
      ]),
      plannedSettings: {
        "cluster.network.cni.name": { default: "flannel", wayOut: "set the argument cni" },
        "cluster.controlPlane.localAPIServerPort": { default: 6443, wayOut: "keep the port" },
      },
    },
    told: [
      'patches: cluster.network.cni.name: it would be "none", but everything around the machines is planned for "flannel": leave it out of patches and transformations, and set the argument cni',
      "patches: cluster.controlPlane.localAPIServerPort: it would be 443, but everything around the machines is planned for 6443: leave it out of patches and transformations, and keep the port",
    ],
  },
  {
    name: "a setting that is Talos' own",
    given: patched(["machine: {kubelet: {extraConfig: {staticPodPath: /etc/pods}}}"]),
    told: [
      "patches: v1alpha1: machine.kubelet.extraConfig.staticPodPath: can't be set: Talos sets it itself; leave it out",
    ],
  },
  {
    name: "a disk selector that selects by nothing known",
    given: patched([
      "{apiVersion: v1alpha1, kind: VolumeConfig, name: EPHEMERAL, provisioning: {diskSelector: {match: 'disks.size > 10u * GB'}}}",
    ]),
    told: [
      'patches: VolumeConfig/EPHEMERAL: provisioning.diskSelector.match: there is no variable "disks": did you mean "disk"?',
    ],
  },
  {
    name: "a deletion of what is not there",
    given: patched(["machine: {sysctls: {vm.swappiness: {$patch: delete}}}"]),
    told: [
      'patches: patches[0]: machine.sysctls["vm.swappiness"]: can\'t be deleted from v1alpha1: it is not there; check the spelling, or leave it out of the patch',
    ],
  },
  {
    name: "a deletion from a document that is not there, on which Talos panics",
    given: patched(["{apiVersion: v1alpha1, kind: KmsgLogConfig, name: remote, $patch: delete}"]),
    told: [
      "patches: patches[0]: there is no document KmsgLogConfig/remote to delete from; the configuration has v1alpha1, HostnameConfig",
    ],
  },
  {
    name: "nothing over a text in a free value, on which Talos panics",
    given: patched([
      "machine: {baseRuntimeSpecOverrides: {hostname: a}}",
      "machine: {baseRuntimeSpecOverrides: {hostname: null}}",
    ]),
    told: [
      'patches: patches[1]: machine.baseRuntimeSpecOverrides.hostname: can\'t be merged: a text in the configuration, nothing in the patch; delete it first, with "$patch: delete" in an earlier patch',
    ],
  },
  {
    name: "a JSON patch of several documents",
    given: patched([[{ op: "add", path: "/machine/sysctls", value: {} }]]),
    told: [
      'patches: patches[0]: a JSON patch (RFC 6902) can\'t name a document, so Talos accepts none for a configuration with several, and this one has v1alpha1, HostnameConfig: write it as a strategic merge patch, like {machine: {…}}; "$patch: delete" removes things',
    ],
  },
  {
    name: "texts that are not YAML, or not a patch",
    given: patched(["machine: [", "worker.yaml", ""]),
    told: [
      "patches: patches[0]: line 1: a bracket that is not closed before the indentation ends",
      'patches: patches[1]: is the name of a file, not a patch: write "@worker.yaml" to have the file read',
      "patches: patches[2]: is empty: leave it out",
    ],
  },
];
