import { isDeepStrictEqual } from "node:util";
import { parseAllDocuments } from "yaml";
import { generateMachineConfig } from "../../../../../provider/config/generateMachineConfig";
import type { MachineType } from "../../../../../provider/config/machineBasics";
import type { ConfigDocument } from "../../../../../provider/config/machineConfig";
import { applyPatches } from "../../../../../provider/config/patches/patch";
import { formatPath } from "../../../../../provider/config/path";
import { documentsInstead } from "../../../../../provider/config/rules/instead/documentsInstead";
import { replacedSettings } from "../../../../../provider/config/rules/replacedSettings";
import { talosSchema } from "../../../../../provider/config/schema/talosSchemas";
import { validateDocuments } from "../../../../../provider/config/validate";
import { readSettings } from "../../../../conformance/support/readSettings";
import { sharedSecrets } from "../../../pki/sharedSecrets";
import { inputWith } from "../../generate/expectGenerated";
import { olderPatches, shownIn } from "./olderPatches";

const CONTRACT = "v1.14";
const schema = talosSchema(CONTRACT);

const generated = new Map<MachineType, ConfigDocument[]>();

beforeAll(async () => {
  const secretsBundle = await sharedSecrets();
  for (const machineType of ["controlplane", "worker"] as const) {
    const options = { secretsBundle, machineType, kubernetesVersion: "1.37.0" };
    generated.set(machineType, generateMachineConfig(inputWith(CONTRACT, options)));
  }
});

/** What is said of a patch, each as `path: message`. */
function said(machineType: MachineType, patch: string): string[] {
  const patched = applyPatches(generated.get(machineType) ?? [], [patch], { schema });
  return validateDocuments(patched, { schema }).map(({ path, message }) => `${path}: ${message}`);
}

test.each(olderPatches)("$patch", ({ patch, field, shown }) => {
  const message = said("controlplane", patch).find((line) => line.startsWith(`${field}: `)) ?? "";
  expect(message).toContain("is in documents of this configuration");
  const text = shownIn(message);
  expect(parseAllDocuments(text).map((document) => document.toJS() as unknown)).toEqual(
    shown.map((document) => ({ apiVersion: "v1alpha1", ...document })),
  );
  // What is shown can be pasted as it is.
  expect(said("controlplane", text)).toEqual([]);
});

/** What differs between the settings of two configurations. */
function changedSettings(
  before: readonly ConfigDocument[],
  after: readonly ConfigDocument[],
): Record<string, unknown> {
  const [former, latter] = [readSettings(before), readSettings(after)];
  const names = [...new Set([former, latter].flatMap((settings) => Object.keys(settings)))];
  return Object.fromEntries(
    names
      .filter((name) => !isDeepStrictEqual(former[name], latter[name]))
      .map((name) => [name, latter[name]]),
  );
}

// No setting has what flags of OpenID Connect are in documents.
const comparable = olderPatches.filter(({ patch }) => !patch.includes("oidc-"));

test.each(comparable)("what is shown means the same: $patch", async ({ patch, shown }) => {
  const secretsBundle = await sharedSecrets();
  // From v1.12 on, the name of a machine is in a document too.
  const contract = patch.includes("hostname") ? "v1.11" : "v1.13";
  const options = { secretsBundle, kubernetesVersion: "1.37.0", talosVersion: "v1.14.1" };
  const older = generateMachineConfig(inputWith(contract, options));
  const newer = generated.get("controlplane") ?? [];
  const documents = shown.map((document) => ({ apiVersion: "v1alpha1", ...document }));
  const changed = changedSettings(newer, applyPatches(newer, documents, { schema }));
  expect(changed).toEqual(changedSettings(older, applyPatches(older, [patch], { schema })));
});

test("one patch without a pod network serves workers too", () => {
  const [message = ""] = said("worker", "cluster: {network: {cni: {name: none}}}");
  expect(said("worker", shownIn(message))).toEqual([]);
});

test("what no document says is named, each with what to do", () => {
  const patch =
    "machine: {kubelet: {extraMounts: [{destination: /a, type: bind, source: /a}]}}\ncluster: {apiServer: {extraArgs: {oidc-signing-algs: RS256, oidc-ca-file: /x}, extraVolumes: [{hostPath: /a, mountPath: /a}]}}";
  const lines = said("controlplane", patch).map((line) =>
    line.replace(/^.*?refuses it here: /, ""),
  );
  expect(lines).toEqual(
    expect.arrayContaining([
      "machine.kubelet.extraMounts has no document: mount a volume with UserVolumeConfig instead",
      "cluster.apiServer.extraArgs.oidc-ca-file is a text there: add its content as jwt[0].issuer.certificateAuthority of KubeAuthenticationConfig; cluster.apiServer.extraArgs.oidc-signing-algs has no document: all algorithms with public keys are accepted; cluster.apiServer.extraVolumes has no document: files of a component come from its own documents",
    ]),
  );
});

test("no secret is shown, and the cluster's keys are the bundle's", async () => {
  const { certs } = await sharedSecrets();
  const { crt, key } = certs.k8s;
  const patch = `cluster: {ca: {crt: ${crt}, key: ${key}}, apiServer: {env: {PASSWORD: hunter2}}}`;
  const lines = said("controlplane", patch);
  expect(lines.join("\n")).not.toContain("hunter2");
  expect(lines.join("\n")).not.toContain(key);
  expect(lines.find((line) => line.startsWith("cluster.ca: "))).toContain(
    "it comes from the secrets bundle, so leave it out",
  );
  expect(lines.find((line) => line.startsWith("cluster.apiServer: "))).toContain(
    "patch KubeAPIServerConfig instead, with your own value for each «secret»",
  );
});

test("each field that a document replaces is known", () => {
  const paths = replacedSettings.map(({ path }) => formatPath(path));
  const outer = paths.filter((path) => !paths.some((other) => path.startsWith(`${other}.`)));
  expect(outer.length).toBeGreaterThan(10);
  expect(outer.filter((path) => documentsInstead(path, null) === undefined)).toEqual([]);
});

test("an older contract with a document is told of both", () => {
  const older = generateMachineConfig(inputWith("v1.12", { kubernetesVersion: "1.35.0" }));
  const patch = "apiVersion: v1alpha1\nkind: KubePrismConfig\nport: 7445\n";
  const patched = applyPatches(older, [patch], { schema });
  expect(validateDocuments(patched, { schema })).toContainEqual({
    document: "v1alpha1",
    path: "machine.features.kubePrism",
    message:
      "can't be set together with the document KubePrismConfig: leave it out, or leave the document KubePrismConfig out",
  });
});
