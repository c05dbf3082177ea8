import { spawn } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type FileCase, fileCases } from "./refusedFiles";

/** How long a component may take to refuse a file; one that hasn't by then has started. */
const LONGEST_START_MS = 20_000;

/**
 * What real components print when they end because of a file of `refusedFiles`, by file and release; null if
 * they start. All listen on 127.0.0.1 only.
 *
 * @param folder with `etcd`, and for each release a folder such as `v1.35.0` with `kube-scheduler` and
 *   `kube-apiserver`
 */
export async function realRefusals(
  folder: string,
): Promise<Record<string, Record<string, string | null>>> {
  const releases = (await readdir(folder)).filter((name) => /^v1\.\d+\.\d+$/.test(name)).sort();
  const words: Record<string, Record<string, string | null>> = {};
  const workspace = await mkdtemp(join(tmpdir(), "file-refusals-"));
  const etcd = spawn(join(folder, "etcd"), etcdFlags(workspace), { stdio: "ignore" });
  try {
    await writeSecrets(workspace);
    for (const release of releases) {
      for (const each of fileCases) {
        const told = await refusalOf(each, { folder, release, workspace });
        (words[each.name] ??= {})[release] = told;
      }
    }
  } finally {
    etcd.kill();
    await rm(workspace, { recursive: true, force: true });
  }
  return words;
}

/** Where programs are, and what they work with. */
interface Start {
  readonly folder: string;
  readonly release: string;
  readonly workspace: string;
}

const ETCD = "http://127.0.0.1:23790";

function etcdFlags(workspace: string): string[] {
  const peers = "http://127.0.0.1:23800";
  return [
    "--data-dir",
    join(workspace, "etcd"),
    "--name",
    "a",
    "--initial-cluster",
    `a=${peers}`,
    "--listen-client-urls",
    ETCD,
    "--advertise-client-urls",
    ETCD,
    "--listen-peer-urls",
    peers,
    "--initial-advertise-peer-urls",
    peers,
  ];
}

async function writeSecrets(workspace: string): Promise<void> {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs1", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  });
  const cluster = { name: "a", cluster: { server: "https://127.0.0.1:1" } };
  const kubeconfig = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "a",
    clusters: [cluster],
    users: [{ name: "a", user: {} }],
    contexts: [{ name: "a", context: { cluster: "a", user: "a" } }],
  };
  await writeFile(join(workspace, "sa.key"), privateKey);
  await writeFile(join(workspace, "sa.pub"), publicKey);
  await writeFile(join(workspace, "kubeconfig"), JSON.stringify(kubeconfig));
}

/** What a component prints when it ends because of a file; null if it starts. */
async function refusalOf(each: FileCase, start: Start): Promise<string | null> {
  const { folder, release, workspace } = start;
  const file = join(workspace, "file.yaml");
  await writeFile(file, JSON.stringify(contentOf(each, start)));
  const [program, flags] =
    each.kind === "scheduler"
      ? (["kube-scheduler", ["--config", file, "--secure-port=0"]] as const)
      : (["kube-apiserver", apiServerFlags(each, file, workspace)] as const);
  const child = spawn(join(folder, release, program), flags, {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const timer = setTimeout(() => child.kill(), LONGEST_START_MS);
  const lines: string[] = [];
  for await (const line of createInterface({ input: child.stderr })) {
    lines.push(line);
    if (/Serving securely|Starting Kubernetes Scheduler/.test(line)) {
      child.kill();
    }
  }
  clearTimeout(timer);
  return wordsIn(lines.join("\n"))?.replaceAll(file, "FILE") ?? null;
}

/** What Talos makes of a file. */
function contentOf({ kind, plugin, content }: FileCase, { release, workspace }: Start): object {
  const minor = Number(release.split(".")[1]);
  switch (kind) {
    case "scheduler":
      return {
        apiVersion: "kubescheduler.config.k8s.io/v1",
        kind: "KubeSchedulerConfiguration",
        ...content,
        clientConnection: {
          ...(content.clientConnection as object | undefined),
          kubeconfig: join(workspace, "kubeconfig"),
        },
      };
    case "authorization":
      return {
        apiVersion: `apiserver.config.k8s.io/${minor >= 32 ? "v1" : "v1beta1"}`,
        kind: "AuthorizationConfiguration",
        ...content,
      };
    case "authentication":
      return {
        apiVersion: "apiserver.config.k8s.io/v1beta1",
        kind: "AuthenticationConfiguration",
        ...content,
      };
    case "admission":
      return {
        apiVersion: "apiserver.config.k8s.io/v1",
        kind: "AdmissionConfiguration",
        plugins: [{ name: plugin, path: "", configuration: content }],
      };
    case "audit":
      return content;
  }
}

function apiServerFlags({ kind, plugin }: FileCase, file: string, workspace: string): string[] {
  const flag = {
    audit: "audit-policy-file",
    authorization: "authorization-config",
    authentication: "authentication-config",
    admission: "admission-control-config-file",
    scheduler: "",
  }[kind];
  return [
    `--${flag}=${file}`,
    `--etcd-servers=${ETCD}`,
    "--service-account-issuer=https://a.example",
    `--service-account-key-file=${join(workspace, "sa.pub")}`,
    `--service-account-signing-key-file=${join(workspace, "sa.key")}`,
    "--service-cluster-ip-range=10.96.0.0/12",
    "--bind-address=127.0.0.1",
    "--secure-port=16443",
    `--cert-dir=${join(workspace, "certificates")}`,
    ...(kind === "authorization" ? [] : ["--authorization-mode=Node,RBAC"]),
    ...(kind === "admission" ? [`--enable-admission-plugins=${plugin ?? ""}`] : []),
  ];
}

/** The error of "command failed", as Kubernetes' log prints it. */
function wordsIn(log: string): string | undefined {
  const [, told = ""] = /"command failed" err=((?:"(?:\\.|[^"\\])*")|<\n[^]*?\n >)/.exec(log) ?? [];
  if (told.startsWith("<")) {
    return told.slice(2, -3).replace(/^\t/gm, "");
  }
  return told === "" ? undefined : (JSON.parse(told) as string);
}
