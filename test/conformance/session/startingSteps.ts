import type { SessionStep } from "./sessionStep";

/** From machines that nobody has configured to a cluster that runs. */
export const startingSteps: readonly SessionStep[] = [
  {
    command: "get machinestatus --insecure -n <a>",
    expect: [/ runtime MachineStatus machine \d+ maintenance true$/m],
    lab: "alike",
  },
  {
    command: "version --insecure -n <a>",
    fails: true,
    expect: [/code = Unimplemented desc = API is not implemented in maintenance mode/],
    lab: "same",
    on14: { expect: [/^ Tag: <talos>$/m], lab: "alike" },
  },
  {
    command: "get mc --insecure -n <a>",
    fails: true,
    expect: [/code = PermissionDenied desc = not authorized/],
    lab: "same",
  },
  {
    command: "get disks --insecure -n <a>",
    expect: [/ Disk nvme0n1 1 8\.6 GB false nvme .*Amazon Elastic Block Store/],
    lab: "disks",
  },
  {
    command: "apply-config --insecure -n <a> -f broken.yaml",
    fails: true,
    expect: [/code = Unknown desc = failed to parse config: /],
    lab: "same",
    on14: {
      fails: true,
      expect: [/code = InvalidArgument desc = .*unknown keys found during decoding:/],
      lab: "alike",
    },
  },
  {
    command: "apply-config --insecure -n <a> -f incomplete.yaml",
    fails: true,
    expect: [/code = InvalidArgument desc = configuration validation failed: 1 error occurred:/],
    lab: "alike",
    on14: { fails: true, expect: [/code = InvalidArgument desc = \d errors? occurred:/] },
  },
  {
    command: "apply-config --insecure -n <a> -f a.yaml --mode staged",
    fails: true,
    expect: [/apply configuration --mode='staged' is not supported in maintenance mode/],
    lab: "same",
    on14: { expect: [/^Staged configuration to be applied after the next reboot$/m] },
  },
  {
    command: "apply-config --insecure -n <a> -f a.yaml --dry-run",
    expect: [/^Dry run summary:\nNode is running in maintenance mode/],
    lab: "same",
    on14: {
      expect: [
        /^Dry run summary:\nApplied configuration without a reboot \(skipped in dry-run\)\./,
      ],
      lab: "alike",
    },
  },
  ...["<a> -f a.yaml", "<d> -f d.yaml"].map((which): SessionStep => ({
    command: `apply-config --insecure -n ${which}`,
    expect: [/^$/],
    lab: "same",
    on14: { expect: [/^Applied configuration without a reboot$/m] },
  })),
  { command: "apply-config --insecure -n <b> -f b.yaml", expect: [/^$/], lab: "one control plane" },
  { command: "apply-config --insecure -n <c> -f c.yaml", expect: [/^$/], lab: "one control plane" },
  { command: "apply-config --insecure -n <e> -f e.yaml", expect: [/^$/], lab: "one control plane" },
  {
    command: "version -n <a>,<d>",
    until: true,
    expect: [/NODE: <a>\n Tag: <talos>\n/, /NODE: <d>\n Tag: <talos>\n/, /Enabled: RBAC/],
    lab: "alike",
  },
  {
    command: "version -e <d> -n <a>",
    fails: true,
    expect: [/code = PermissionDenied desc = no request forwarding/],
    lab: "alike",
  },
  {
    command: "get machinestatus --insecure -n <a>",
    fails: true,
    expect: [/certificate required|broken pipe|connection reset/],
    lab: "alike",
  },
  {
    command: "service etcd -n <a>",
    until: true,
    expect: [/^STATE Preparing\nHEALTH \?\nEVENTS \[Preparing\]: Running pre state/m],
    lab: "alike",
  },
  {
    command: "kubeconfig early.kubeconfig -n <a> --merge=false",
    expect: [/^$/],
    lab: "same",
  },
  {
    command: "bootstrap -n <d>",
    fails: true,
    expect: [/FailedPrecondition desc = bootstrap can only be performed on a control plane node/],
    lab: "same",
    on14: {
      fails: true,
      expect: [/Unimplemented desc = bootstrap is only available on control plane nodes/],
    },
  },
  {
    command: "bootstrap -n <a>",
    as: "operator",
    fails: true,
    expect: [/code = PermissionDenied desc = not authorized/],
    lab: "same",
  },
  { command: "bootstrap -n <a>", expect: [/^$/], lab: "same" },
  {
    command: "etcd members -n <a>",
    until: true,
    expect: [/^<a> <id> cp1 https:\/\/<a>:2380 https:\/\/<a>:2379 false$/m],
    lab: "alike",
  },
  {
    command: "bootstrap -n <a>",
    fails: true,
    expect: [/code = AlreadyExists desc = etcd data directory is not empty/],
    lab: "same",
  },
  {
    command: "etcd members -n <c>",
    until: true,
    expect: [/ cp1 .*false$/m, / cp2 .*false$/m, / cp3 .*false$/m],
    lab: "one control plane",
  },
  {
    command: "health -n <a> --wait-timeout 30s",
    expect: [
      /^discovered nodes: \[/,
      /^waiting for etcd to be healthy: OK$/m,
      /^waiting for all nodes disk sizes: OK$/m,
      /^waiting for coredns to report ready: OK$/m,
      /^waiting for all k8s nodes to report schedulable: OK$/m,
    ],
    lab: "kubelet",
  },
  {
    command: "health --server=false --wait-timeout 30s",
    expect: [/^waiting for all k8s nodes to report schedulable: OK$/m],
    lab: "kubelet",
  },
  {
    command: "get machinestatus -n <e>",
    until: true,
    expect: [/^<e> runtime MachineStatus machine \d+ running true$/m],
    lab: "kubelet",
  },
];
