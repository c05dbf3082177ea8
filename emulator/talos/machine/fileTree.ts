import type { Hostname } from "./hostname";
import { instanceSize } from "./instanceSize";
import { kernelCommandLine, kernelVersion } from "./kernelStart";
import { mountsOf } from "./mountTable";
import type { NodeState } from "./nodeState";
import { partitionOf } from "./partitionTable";

/** A file, directory or link of a node. */
export interface FileEntry {
  /** Absolute, without a slash at the end. */
  readonly path: string;
  readonly kind: "directory" | "file" | "link";
  /** Unix permissions. */
  readonly permissions: number;
  readonly sizeBytes: number;
  /** The file's content. Undefined when only its size is simulated. */
  readonly text: string | undefined;
  /** The target of a link. */
  readonly target: string;
}

/** Top-level directories and links of a Talos v1.12.1 root file system. */
const directories = [
  "/boot",
  "/dev",
  "/etc",
  "/etc/cni",
  "/etc/kubernetes",
  "/opt",
  "/proc",
  "/root",
  "/run",
  "/sys",
  "/system",
  "/system/state",
  "/tmp",
  "/usr",
  "/usr/bin",
  "/usr/lib",
  "/usr/local",
  "/var",
  "/var/lib",
  "/var/lib/cni",
  "/var/lib/containerd",
  "/var/lib/kubelet",
  "/var/log",
  "/var/log/audit",
  "/var/log/containers",
  "/var/log/pods",
];
const links = [
  ["/bin", "usr/bin"],
  ["/lib", "usr/lib"],
  ["/sbin", "usr/bin"],
] as const;

const DIRECTORY_BYTES = 4096;
/** The part of the disk that images and layers use. */
const CONTAINERD_PART = 0.2;

/** The simulated files of a node by path: those that identify the node. */
export function filesOf(node: NodeState): ReadonlyMap<string, FileEntry> {
  const entries = [
    ...directories.map(directory),
    ...links.map(([path, target]) => link(path, target)),
    ...Object.entries(textsOf(node)).map(([path, text]) => file(path, text)),
    ...sizedFiles(node),
  ];
  const tree = new Map([["/", directory("/")]]);
  for (const entry of entries.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    for (const parent of parentsOf(entry.path)) {
      if (!tree.has(parent)) {
        tree.set(parent, directory(parent));
      }
    }
    tree.set(entry.path, entry);
  }
  return tree;
}

function textsOf(node: NodeState): Record<string, string> {
  const { uptime, hostname, hardware, config, talosVersion } = node;
  const seconds = ((Date.now() - uptime.startedAt.getTime()) / 1000).toFixed(2);
  const { memoryBytes } = instanceSize(hardware.instanceType);
  return {
    "/etc/hosts": hostsFile(hardware.privateAddress, hostname),
    "/etc/resolv.conf": "nameserver 127.0.0.53\n",
    "/etc/os-release": [
      'NAME="Talos"',
      "ID=talos",
      `VERSION_ID=${talosVersion}`,
      `PRETTY_NAME="Talos (${talosVersion})"`,
      'HOME_URL="https://www.talos.dev/"',
      'BUG_REPORT_URL="https://github.com/siderolabs/talos/issues"',
      'VENDOR_NAME="Sidero Labs"',
      'VENDOR_URL="https://www.siderolabs.com/"',
      "",
    ].join("\n"),
    "/proc/cmdline": `${kernelCommandLine}\n`,
    "/proc/version": `Linux version ${kernelVersion}\n`,
    "/proc/uptime": `${seconds} ${seconds}\n`,
    "/proc/mounts": mountsOf(memoryBytes, node)
      .map(({ source, target, filesystem }) => `${source} ${target} ${filesystem} rw 0 0\n`)
      .join(""),
    "/proc/sys/kernel/hostname": `${hostname.hostname}\n`,
    "/proc/sys/kernel/random/boot_id": `${uptime.bootId}\n`,
    "/system/state/node-identity.yaml": `nodeId: ${node.nodeId}\n`,
    ...(config ? { "/system/state/config.yaml": config.persistent } : {}),
  };
}

/** With aligned names (talos v1.12.1, `network.EtcFileController`). */
function hostsFile(address: string, { fqdn, hostname }: Hostname): string {
  const names = [...new Set([fqdn, hostname])].join(" ");
  const rows = [
    ["127.0.0.1", "localhost"],
    [address, names],
    ["::1", "localhost ip6-localhost ip6-loopback"],
    ["ff02::1", "ip6-allnodes"],
    ["ff02::2", "ip6-allrouters"],
  ] as const;
  const width = Math.max(...rows.map(([first]) => first.length)) + 1;
  return rows.map(([first, rest]) => `${first.padEnd(width)}${rest}\n`).join("");
}

function sizedFiles(node: NodeState): FileEntry[] {
  const { etcd } = node.disk;
  const ephemeral = partitionOf("EPHEMERAL").sizeBytes;
  const blobs = Math.floor(ephemeral * CONTAINERD_PART);
  return [
    sized("/var/lib/containerd/io.containerd.metadata.v1.bolt/meta.db", blobs),
    ...(etcd ? [sized("/var/lib/etcd/member/snap/db", etcd.databaseBytes)] : []),
  ];
}

function directory(path: string): FileEntry {
  const base = { path, permissions: 0o755, text: undefined, target: "" };
  return { ...base, kind: "directory", sizeBytes: DIRECTORY_BYTES };
}

function link(path: string, target: string): FileEntry {
  const base = { path, permissions: 0o777, text: undefined, target };
  return { ...base, kind: "link", sizeBytes: target.length };
}

function file(path: string, text: string): FileEntry {
  const permissions = path.startsWith("/system/state/") ? 0o600 : 0o644;
  // Virtual files of the kernel have no size.
  const sizeBytes = path.startsWith("/proc/") ? 0 : Buffer.byteLength(text);
  return { path, kind: "file", permissions, sizeBytes, text, target: "" };
}

function sized(path: string, sizeBytes: number): FileEntry {
  return { path, kind: "file", permissions: 0o600, sizeBytes, text: undefined, target: "" };
}

function parentsOf(path: string): string[] {
  const parts = path.split("/").slice(1, -1);
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join("/")}`);
}
