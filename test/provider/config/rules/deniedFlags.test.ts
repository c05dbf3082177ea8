import { readFileSync } from "node:fs";
import { join } from "node:path";
import { applyPatches } from "../../../../provider/config/patches/patch";
import { talosMinor } from "../../../../provider/config/releases/talosMinor";
import { deniedFlags, type FlaggedProgram } from "../../../../provider/config/rules/deniedFlags";
import { talosSchema } from "../../../../provider/config/schema/talosSchemas";
import { validateDocuments } from "../../../../provider/config/validate";
import { decodeDocuments } from "../../../../provider/config/yaml/encode";
import { readTalosSource } from "../../../../scripts/talosSource";
import { moduleFolder, talosSources } from "../../talosSources";
import { fillPlaceholders } from "../placeholders";

/** The denied flags of a release, by program, as `TalosSource` has them. */
function deniedBy(release: string) {
  const minor = talosMinor(release) ?? 0;
  return Object.fromEntries(
    Object.entries(deniedFlags).map(([program, rows]) => [
      program,
      rows
        .flatMap(({ flags, since = 0, until = Infinity }) =>
          minor >= since && minor <= until ? flags : [],
        )
        .sort(),
    ]),
  );
}

test.each(talosSources)("denies what Talos $release denies", ({ release, deniedFlags: theirs }) => {
  expect(deniedBy(release)).toEqual(theirs);
});

describe.each(talosSources)("the record of $release", (source) => {
  const folder = moduleFolder(source.release);

  test.skipIf(folder === undefined)("is what its source says", () => {
    expect(readTalosSource(folder ?? "", source.release)).toEqual(source);
  });
});

const v112 = "v1.12";

function problems(machineType: "controlplane" | "worker", patch: string): string[] {
  const file = join(__dirname, "../testdata/generate", v112, `${machineType}.yaml`);
  const documents = decodeDocuments(fillPlaceholders(readFileSync(file, "utf8")));
  const schema = talosSchema(v112);
  return validateDocuments(applyPatches(documents, [patch], { schema }), { schema }).map(
    ({ path, message }) => `${path}: ${message}`,
  );
}

test.each<readonly [FlaggedProgram, string, string]>([
  ["apiServer", "encryption-provider-config", "renders no static pod of the control plane"],
  ["controllerManager", "root-ca-file", "renders no static pod of the control plane"],
  ["scheduler", "config", "renders no static pod of the control plane"],
  ["proxy", "kubeconfig", "renders no manifests"],
  ["etcd", "data-dir", "can't start etcd"],
])("refuses a denied flag of %s", (program, flag, consequence) => {
  const patch = `cluster: {${program}: {extraArgs: {${flag}: /var/x}}}`;
  expect(problems("controlplane", patch)).toEqual([
    `cluster.${program}.extraArgs.${flag}: can't be set: Talos sets this flag itself, and ${consequence} while it is here; leave it out`,
  ]);
});

test.each(["controlplane", "worker"] as const)(
  "refuses a denied flag of a %s's kubelet",
  (type) => {
    expect(problems(type, "machine: {kubelet: {extraArgs: {cert-dir: /var/x}}}")).toEqual([
      `machine.kubelet.extraArgs.cert-dir: can't be set: Talos sets this flag itself, and can't start or change kubelet while it is here; leave it out`,
    ]);
  },
);

test("accepts flags that Talos lets through", () => {
  const patch =
    "cluster: {apiServer: {extraArgs: {service_account_key_file: /a, feature-gates: AllAlpha=true}}, etcd: {extraArgs: {initial-cluster-state: new}}}";
  expect(problems("controlplane", patch)).toEqual([]);
});

test("accepts what a worker doesn't read", () => {
  const patch = "cluster: {apiServer: {extraArgs: {tls-cert-file: /a}}}";
  expect(problems("worker", patch)).toEqual([]);
});
