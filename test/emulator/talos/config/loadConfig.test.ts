import {
  parseConfig,
  validateAtRuntime,
  validateConfig,
} from "../../../../emulator/talos/config/loadConfig";
import { messageOfError } from "../../../../provider/base/messageOfError";

const refusalOf = (text: string, talosVersion?: string): string => {
  try {
    const config = parseConfig(text);
    validateConfig(config, talosVersion);
    validateAtRuntime(config, talosVersion ?? "v1.12.1");
  } catch (error) {
    return messageOfError(error);
  }
  return "";
};
const cluster = "cluster:\n  controlPlane: { endpoint: https://a:6443 }\n";
const one = (problem: string) =>
  `1 error occurred:\n\t* v1alpha1.Config: 1 error occurred:\n\t* ${problem}\n\n\n\n`;

// Texts of `talosctl validate --mode cloud`, v1.12.1.
describe("a configuration is refused", () => {
  test.each([
    ["", "config not found"],
    ["foo: 1\n", "missing kind"],
    ["apiVersion: v1alpha1\nkind: FooConfig\n", '"FooConfig" "v1alpha1": not registered'],
    [
      "version: v1alpha1\nmachine:\n  kubelet:\n    bogus: 1\n",
      "unknown keys found during decoding:\nmachine:\n    kubelet:\n        bogus: 1\n",
    ],
    [
      "apiVersion: v1alpha1\nkind: HostnameConfig\nauto: stable\n---\napiVersion: v1alpha1\nkind: HostnameConfig\nauto: stable\n",
      "duplicate document v1alpha1/HostnameConfig/ is not allowed",
    ],
    ["version: v1alpha1\n---\nversion: v1alpha1\n", "duplicate document /v1alpha1/ is not allowed"],
    ["version: v1alpha1\ncluster: {}\n", one("machine instructions are required")],
    [
      "version: v1alpha1\nmachine: { type: controlplane, ca: { crt: QQ==, key: Qg== } }\n",
      one("cluster instructions are required"),
    ],
    [
      `version: v1alpha1\nmachine: { type: controlplane, ca: { crt: QQ== } }\n${cluster}`,
      one("issuing CA key is required for controlplane nodes (.machine.ca.key)"),
    ],
    [
      `version: v1alpha1\nmachine: { type: controlplane, ca: { crt: QQ==, key: Qg== } }\n${cluster}  network: { cni: { name: nope } }\n`,
      one('cni name should be one of ["flannel", "custom", "none"]'),
    ],
    [
      `version: v1alpha1\nmachine: { type: worker, ca: { crt: QQ== } }\n${cluster}  etcd: { subnet: 10.0.0.0/8 }\n`,
      one("etcd config is only allowed on control plane machines"),
    ],
    [
      `version: v1alpha1\nmachine: { type: worker }\n${cluster}`,
      one("issuing CA or some accepted CAs are required (.machine.ca, machine.acceptedCAs)"),
    ],
    [
      "apiVersion: v1alpha1\nkind: HostnameConfig\n",
      "1 error occurred:\n\t* HostnameConfig: either 'auto' or 'hostname' must be set\n\n",
    ],
    [
      "apiVersion: v1alpha1\nkind: HostnameConfig\nauto: stable\nhostname: a\n",
      "1 error occurred:\n\t* HostnameConfig: 'auto' and 'hostname' cannot be set at the same time\n\n",
    ],
  ])("%j", (text, expected) => {
    expect(refusalOf(text)).toBe(expected);
  });

  test("for every problem that the product finds", () => {
    const text = `version: v1alpha1\nmachine: { type: worker, ca: { crt: QQ== }, nodeTaints: { k: "v:Nope" } }\n${cluster}`;
    expect(refusalOf(text)).toContain("\t* machine.nodeTaints.k: ");
  });

  test("without a secret in the message", () => {
    const secret = "c2VjcmV0LWtleS1tYXRlcmlhbA";
    for (const text of [
      `version: v1alpha1\nmachine:\n  ca: { crt: "${secret}\n`,
      `version: v1alpha1\nmachine: { type: worker, token: [${secret}] }\n${cluster}`,
      `version: v1alpha1\nmachine: { type: worker, ca: { crt: QQ==, key: ${secret} } }\n${cluster}`,
    ]) {
      const refusal = refusalOf(text);
      expect(refusal).not.toBe("");
      expect(refusal).not.toContain(secret);
    }
  });
});

// Source: Talos v1.14.1, `ClusterConfig.Validate`, `validateContainer` and the documents' own `Validate`.
describe("settings in documents of v1.14", () => {
  const documents = (...all: readonly string[]) =>
    ["version: v1alpha1", ...all].join("\n---\napiVersion: v1alpha1\nkind: ");
  const worker =
    "machine: { type: worker, token: a.b, ca: { crt: QQ== } }\ncluster: { token: a.b }";
  const named = "KubeClusterConfig\nclusterName: c\nendpoint: https://a:6443";
  const withWorker = (...all: readonly string[]) =>
    documents(...all).replace("v1alpha1\n", `v1alpha1\n${worker}\n`);
  const kubelet = (version: string) => `KubeletConfig\nimage: registry/kubelet:${version}`;

  test("are accepted by v1.14, and unknown to v1.13", () => {
    const text = withWorker(named, kubelet("v1.36.0"));
    expect(refusalOf(text, "v1.14.1")).toBe("");
    expect(refusalOf(text, "v1.13.9")).toBe('"KubeClusterConfig" "v1alpha1": not registered');
  });

  test.each([
    [
      "in part: an endpoint in a document beside its section",
      withWorker(named).replace("cluster: {", "cluster: { controlPlane: {},"),
      "\t* cluster controlplane endpoint is required (.cluster.controlPlane.endpoint); when",
    ],
    [
      "for a control plane, on a worker",
      withWorker(named, "KubeCoreDNSConfig\nenabled: true"),
      "\t* KubeCoreDNSConfig: is for control plane machines only",
    ],
    [
      "for discovery, without an identity",
      withWorker("DiscoveryServiceConfig\nname: default\nendpoint: https://discovery.talos.dev/"),
      "\t* discovery needs the identity of the cluster",
    ],
    [
      "with an image that this Talos doesn't run",
      withWorker(named, kubelet("v1.31.0")),
      "\t* KubeletConfig: kubelet image is not valid: version of Kubernetes 1.31.0 is too old to be used with Talos 1.14.1",
    ],
  ])("are refused %s", (_, text, expected) => {
    expect(refusalOf(text, "v1.14.1")).toContain(expected);
  });
});

describe("a configuration that was already read", () => {
  const valid = `version: v1alpha1\nmachine: { type: controlplane, token: a.b, ca: { crt: QQ==, key: Qg== } }\n${cluster}  token: a.b\n`;

  it("is the same frozen value", () => {
    const config = parseConfig(valid);
    validateConfig(config);
    expect(parseConfig(valid)).toBe(config);
    expect(() => Object.assign(config.documents[0] ?? {}, { debug: true })).toThrow(TypeError);
  });

  it("is rejected each time", () => {
    const invalid = valid.replace(", key: Qg==", "");
    const message = refusalOf(invalid);
    expect(message).toContain("issuing CA key is required");
    expect(refusalOf(invalid)).toBe(message);
    expect([refusalOf("foo: 1\n"), refusalOf("foo: 1\n")]).toEqual([
      "missing kind",
      "missing kind",
    ]);
  });
});
