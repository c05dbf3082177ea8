import type { SessionStep } from "./sessionStep";

/** A resource that a node has, as `talosctl get` shows it. */
function get(
  resource: string,
  row: RegExp,
  lab: SessionStep["lab"],
  rest: Partial<SessionStep> = {},
): SessionStep {
  return { command: `get ${resource} -n <a>`, expect: [row], lab, ...rest };
}

/** Looking at a cluster that runs. */
export const readingSteps: readonly SessionStep[] = [
  get(
    "members",
    /^<a> cluster Member cp1 \d+ cp1 controlplane Talos \(<talos>\) \["<a>"\]$/m,
    "alike",
  ),
  get(
    "members cp1 -o yaml",
    /^spec:\n nodeId: <key>\n addresses:\n - <a>\n hostname: cp1\n/m,
    "alike",
  ),
  get("affiliates", /^<a> cluster Affiliate <key> \d+ cp1 controlplane \["<a>"\]$/m, "alike"),
  get("nodename", /^<a> k8s Nodename nodename \d+ cp1$/m, "same"),
  get("hostname", /^<a> network HostnameStatus hostname \d+ cp1$/m, "alike"),
  get("machinetype", /^<a> config MachineType machine-type \d+ controlplane$/m, "alike"),
  get("identities", /^<a> cluster Identity local 1 <key>$/m, "same"),
  get("infos", /^<a> cluster Info current 1 <key> sim$/m, "same"),
  get("etcdmembers", /^<a> etcd EtcdMember local 1 <id>$/m, "same", { until: true }),
  get(
    "etcdspec",
    /^<a> etcd EtcdSpec etcd 1 cp1 \["<a>"\] \["0\.0\.0\.0"\] \["0\.0\.0\.0"\]$/m,
    "same",
  ),
  get(
    "mc",
    /^<a> config MachineConfig persistent 1\n<a> config MachineConfig v1alpha1 1$/m,
    "same",
    {
      // The one that was staged in maintenance mode counts.
      on14: {
        expect: [/^<a> config MachineConfig persistent \d\n<a> config MachineConfig v1alpha1 1$/m],
        lab: "alike",
      },
    },
  ),
  get("certsans", /^<a> secrets CertSAN api 1\n<a> secrets CertSAN k8s 1$/m, "alike"),
  get("endpoints", /^<a> controlplane Endpoint discovery \d+ \["<a>"/m, "alike"),
  get("secretstatus", /^<a> controlplane SecretStatus static-pods 1 true 1$/m, "same", {
    until: true,
  }),
  get("staticpods", /^<a> k8s StaticPod kube-scheduler 1$/m, "same", { until: true }),
  get("staticpodstatus", / kube-system\/kube-apiserver-cp1 \d+ True$/m, "kubelet"),
  get(
    "timeservers",
    /^<a> network TimeServerStatus timeservers 1 \["time\.cloudflare\.com"\]$/m,
    "same",
    {
      on14: {
        expect: [/^<a> network TimeServerStatus timeservers 1 \["time\.cloudflare\.com"\]/m],
        lab: "alike",
      },
    },
  ),
  get("netstatus", /^<a> network NetworkStatus status \d+ true true true true$/m, "alike"),
  get("addresses", / AddressStatus ens5\/<a>\/24 1 <a>\/24 ens5$/m, "network"),
  get("links", /^<a> network LinkStatus ens5 1 ether (\S+) up true$/m, "network"),
  get("routes", / RouteStatus inet4\/\S+\/\/1024 1 \S+ ens5 1024$/m, "network"),
  get("volumestatus EPHEMERAL", / EPHEMERAL 1 partition ready \/dev\/nvme0n1p6 4\.2 GB$/m, "disks"),
  {
    command: "get discoveredvolumes -n <a>",
    expect: [
      / nvme0n1 1 disk 8\.6 GB gpt$/m,
      / nvme0n1p1 1 partition 2\.2 GB vfat EFI EFI$/m,
      / nvme0n1p2 1 partition 1\.0 MB BIOS$/m,
      / nvme0n1p3 1 partition 2\.1 GB xfs BOOT BOOT$/m,
      / nvme0n1p4 1 partition 1\.0 MB talosmeta META$/m,
      / nvme0n1p5 1 partition 105 MB xfs STATE STATE$/m,
      / nvme0n1p6 1 partition 4\.2 GB xfs EPHEMERAL EPHEMERAL$/m,
    ],
    lab: "disks",
  },
  get("extensions", /^NODE NAMESPACE TYPE ID VERSION NAME VERSION$/m, "same"),
  get(
    "kubespanpeerstatuses",
    /^<a> kubespan KubeSpanPeerStatus \S+ 1 w1 <d>:51820 up /m,
    "network",
  ),
  {
    command: "get members -w -n <a>",
    endsAfterMs: 1500,
    expect: [/ \+ cluster Member cp1 /, / \+ cluster Member w1 /],
    lab: "alike",
  },
  {
    command: "get foos -n <a>",
    fails: true,
    expect: [/resource "foos" is not registered/],
    lab: "same",
  },
  {
    command: "get ns -n <a>",
    fails: true,
    expect: [/resource type "ns" is ambiguous: \[namespaces\.meta\.cosi\.dev networkstatuses/],
    lab: "same",
  },
  {
    command: "get members nope -n <a>",
    fails: true,
    expect: [/resource Members\.cluster\.talos\.dev\(cluster\/nope@undefined\) doesn't exist/],
    lab: "same",
  },
  {
    command: "get mc -n <a>",
    as: "reader",
    fails: true,
    expect: [/code = PermissionDenied desc = not authorized/],
    lab: "same",
  },
  {
    command: "services -n <d>",
    expect: [
      /^<d> apid Running OK <ago> Health check successful$/m,
      /^<d> containerd Running OK /m,
      /^<d> cri Running OK /m,
      /^<d> kubelet Running OK /m,
      /^<d> machined Running OK /m,
      /^<d> udevd Running OK /m,
    ],
    lab: "kubelet",
  },
  {
    command: "service trustd -n <a>",
    expect: [/^STATE Running\nHEALTH OK\nEVENTS \[Running\]: Health check successful \(<ago>\)\n/m],
    lab: "same",
  },
  {
    command: "service nope restart -n <a>",
    fails: true,
    expect: [/code = Unknown desc = service "nope" not defined/],
    lab: "same",
  },
  {
    command: "service etcd restart -n <a>",
    fails: true,
    expect: [/service "etcd" doesn't support restart operation via API/],
    lab: "same",
  },
  {
    command: "service kubelet restart -n <d>",
    expect: [/^<d> Service "kubelet" restarted$/m],
    lab: "kubelet",
  },
  {
    command: "containers -n <a>",
    expect: [/^<a> system apid \d+ RUNNING\n<a> system trustd \d+ RUNNING$/m],
    lab: "alike",
  },
  {
    command: "containers -k -n <d>",
    expect: [/ k8s\.io kube-system\/kube-proxy-\w{5} .*SANDBOX_READY$/m, /CONTAINER_RUNNING$/m],
    lab: "kubelet",
  },
  { command: "stats -n <a>", expect: [/^<a> system apid [\d.]+ \d+$/m], lab: "alike" },
  {
    command: "memory -n <a>,<d>",
    expect: [/^<a>( \d+){7}$/m, /^<d>( \d+){7}$/m],
    lab: "alike",
  },
  {
    command: "processes -n <a>",
    expect: [/^<a> 1 S .* \/sbin\/init$/m, / \/apid$/m],
    lab: "alike",
  },
  { command: "mounts -n <a>", expect: [/ \/system\/state$/m, / \/var$/m], lab: "alike" },
  { command: "netstat -l -n <a>", expect: [/tcp6 0 0 :::50000 :::\* LISTEN$/m], lab: "alike" },
  {
    command: "list /etc -n <a>",
    expect: [/^<a> hosts$/m, /^<a> os-release$/m],
    lab: "alike",
    on14: { expect: [/^hosts$/m, /^os-release$/m] },
  },
  {
    command: "list /nope -n <a>",
    fails: true,
    expect: [/lstat \/nope: no such file or directory/],
    lab: "same",
  },
  {
    command: "usage /var -d 1 -n <a>",
    expect: [/^<a> \d+ lib$/m, /^<a> \d+ \.$/m],
    lab: "alike",
    on14: { expect: [/^\d+ lib$/m, /^\d+ \.$/m] },
  },
  {
    command: "read /etc/os-release -n <a>",
    expect: [/^PRETTY_NAME="Talos \(<talos>\)"$/m],
    lab: "same",
  },
  { command: "read /etc/hosts -n <a>", expect: [/^<a> cp1$/m], lab: "same" },
  {
    command: "read /nope -n <a>",
    fails: true,
    expect: [/code = NotFound desc = stat \/nope: no such file or directory/],
    lab: "same",
  },
  { command: "logs apid --tail 1 -n <a>", expect: [/^<a>: .+$/m], lab: "alike" },
  {
    command: "logs machined -f -n <a>",
    endsAfterMs: 1500,
    expect: [/service\[etcd\]\(Running\): Health check successful/],
    lab: "alike",
  },
  {
    command: "logs nope -n <a>",
    fails: true,
    expect: [/code = Unknown desc = log "nope" was not registered/],
    lab: "same",
  },
  {
    command: "dmesg -n <a>",
    // A computer that has been up for long has no longer its first lines.
    expect: [/^<a>: kern: \w+: \[<time>\]: ./m],
    lab: "alike",
  },
  {
    command: "events --tail 5 -n <a>",
    endsAfterMs: 1500,
    expect: [/^<a> \w{20} talos\/runtime\/machine\.\w+Event$/m],
    lab: "alike",
  },
  { command: "time -n <a>", expect: [/^<a> time\.cloudflare\.com <time> <time>$/m], lab: "time" },
  {
    command: "image list -n <a>",
    expect: [/ registry\.k8s\.io\/kube-apiserver:v1\.35\.0 sha256:/],
    lab: "kubelet",
  },
  { command: "image pull nginx:1.29.1 -n <d>", expect: [/^$/], lab: "kubelet" },
  {
    command: "image pull registry.k8s.io/nope:nope -n <d>",
    fails: true,
    expect: [/code = NotFound desc = error pulling image: /],
    lab: "kubelet",
  },
];
