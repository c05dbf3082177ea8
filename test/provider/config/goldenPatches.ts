import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { goldenFolder, options } from "./golden";

/** What the real talosctl made of a configuration and patches of it. */
export interface GoldenPatch {
  readonly name: string;
  /** The configuration without the patches. */
  readonly configuration: string;
  readonly patches: readonly string[];
  /** What it wrote; undefined when it refused. */
  readonly expected: string | undefined;
}

/**
 * The recorded runs with patches, one for each configuration that came out of a run. When talosctl
 * refuses a run for one of the machine types, nothing is said of the other: see `refused`.
 */
export function goldenPatches(root = goldenFolder): GoldenPatch[] {
  return runs(root).flatMap(({ name, command, exit, file }) => {
    if (exit !== 0) {
      return [];
    }
    if (isHanded(command)) {
      return [{ name, ...handed(file), expected: file("out.yaml") }];
    }
    return ["controlplane", "worker"].map((type) => ({
      name: `${name}, ${type}`,
      ...generated(command, file, type),
      expected: file(`${type}.yaml`),
    }));
  });
}

/** The recorded runs that talosctl refused, each with the configurations it would have made. */
export function refusedPatches(
  root = goldenFolder,
): { readonly name: string; readonly inputs: GoldenPatch[] }[] {
  return runs(root)
    .filter(({ exit }) => exit !== 0)
    .map(({ name, command, file }) => {
      const inputs = isHanded(command)
        ? [handed(file)]
        : ["controlplane", "worker"].map((type) => generated(command, file, type));
      return { name, inputs: inputs.map((input) => ({ name, ...input, expected: undefined })) };
    });
}

interface Run {
  readonly name: string;
  /** Words of `gen config`, or the text of a `machineconfig patch`. */
  readonly command: readonly string[] | string;
  readonly exit: number;
  readonly file: (name: string) => string;
}

function runs(folder: string | undefined): Run[] {
  if (folder === undefined) {
    return [];
  }
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, "case.json")))
    .map((name): Run => {
      const file = (path: string) => readFileSync(join(folder, name, path), "utf8");
      const { command = "", exit } = JSON.parse(file("case.json")) as Partial<Run>;
      return { name, command, exit: exit ?? 0, file };
    })
    .filter(({ command }) =>
      typeof command === "string" || command[0] === "machineconfig"
        ? command.includes(typeof command === "string" ? " patch " : "patch")
        : command.some((word) => word.startsWith("--config-patch")),
    );
}

/** Whether the configuration was handed to `machineconfig patch`. */
function isHanded(command: Run["command"]): command is string {
  return typeof command === "string" || command[0] === "machineconfig";
}

function handed(file: Run["file"]) {
  return { configuration: file("in.yaml"), patches: [file("patch.yaml")] };
}

function generated(command: readonly string[], file: Run["file"], type: string) {
  const contract = options(command, "--talos-version")[0] ?? "v1.12";
  const base = contract === "v1.12" ? "base-v1.12" : `contract-${contract}`;
  const role = type === "worker" ? "worker" : "control-plane";
  const patches = ["--config-patch", `--config-patch-${role}`].flatMap((flag) =>
    options(command, flag),
  );
  return {
    configuration: file(`../${base}/${type}.yaml`),
    patches: patches.map((patch) => (patch.startsWith("@") ? file(patch.slice(1)) : patch)),
  };
}
