import { spawnSync } from "node:child_process";
import { parse } from "yaml";
import { generateMachineConfig } from "../../provider/config/generateMachineConfig";
import type { MachineType } from "../../provider/config/machineBasics";
import { talosSchema } from "../../provider/config/schema/talosSchemas";
import { encodeDocuments } from "../../provider/config/yaml/encode";
import type { SecretsBundle } from "../../provider/pki/secretsBundle";

/** A configuration of the same options, as two generators write it. */
export interface Golden {
  /** `control plane, contract v1.13`. */
  readonly name: string;
  readonly before: string;
  readonly after: string;
}

const MACHINE_TYPES: readonly MachineType[] = ["controlplane", "worker"];

/** Options that all releases have. */
const OPTIONS = {
  clusterName: "example",
  endpoint: "https://api.example.com:6443",
  installDisk: "/dev/sda",
  kubeSpan: true,
  certSans: ["api.example.com"],
  sysctls: { "vm.max_map_count": "262144" },
};

/**
 * Asks the code of a new release for configurations: of the former contract, beside what the package writes, and
 * of its own contract, beside those of the former.
 *
 * @param program the oracle of the new release
 * @param since the former release, which the package knows
 * @throws Error if the oracle refuses
 */
export function askForGoldens(
  program: string,
  { release, since, kubernetes }: { release: string; since: string; kubernetes: string },
): readonly Golden[] {
  const [contract, former] = [release, since].map((each) => each.replace(/^(v\d+\.\d+).*/, "$1"));
  const [secrets = ""] = ask(program, [{ do: "secrets", versionContract: former }]);
  const options = (machineType: MachineType, versionContract = "") => ({
    ...OPTIONS,
    machineType,
    versionContract,
    kubernetesVersion: kubernetes,
    installerImage: `ghcr.io/siderolabs/installer:${since}`,
  });
  const secretsBundle = parse(secrets) as SecretsBundle;
  const schema = talosSchema(since);
  return MACHINE_TYPES.flatMap((machineType): Golden[] => {
    const [theirs = "", next = ""] = ask(
      program,
      [former, contract].map((each) => ({
        do: "generate",
        ...options(machineType, each),
        secrets,
      })),
    );
    const ours = encodeDocuments(
      generateMachineConfig({
        ...options(machineType, former),
        talosVersion: since,
        secretsBundle,
      }),
      schema,
    );
    const masked = (text: string) => maskSecrets(text, secretsBundle);
    return [
      {
        name: `${machineType}, contract ${former ?? ""}: what the package writes, and what Talos ${release} writes`,
        before: masked(ours),
        after: masked(theirs),
      },
      ...(former === contract
        ? []
        : [
            {
              name: `${machineType}: contract ${former ?? ""} and contract ${contract ?? ""}, both by Talos ${release}`,
              before: masked(theirs),
              after: masked(next),
            },
          ]),
    ];
  });
}

function ask(program: string, requests: readonly object[]): string[] {
  const input = requests.map((request) => `${JSON.stringify(request)}\n`).join("");
  const { stdout } = spawnSync(program, [], { input, encoding: "utf8", maxBuffer: 64 << 20 });
  return stdout
    .trim()
    .split("\n")
    .map((line) => {
      const { result, refused } = JSON.parse(line) as { result?: string; refused?: string };
      if (result === undefined) {
        throw new Error(`the new release refuses options that all releases have: ${refused ?? ""}`);
      }
      return result;
    });
}

/** Keys are of no use to anybody, but look as if they were. */
function maskSecrets(text: string, bundle: SecretsBundle): string {
  const values = leaves(bundle, "");
  const masked = values.reduce((rest, [path, value]) => rest.replaceAll(value, `<${path}>`), text);
  return masked.replace(/-----BEGIN [^]*?-----END [A-Z ]+-----/g, "<PEM>");
}

function leaves(value: unknown, path: string): (readonly [path: string, value: string])[] {
  if (typeof value === "string") {
    return value === "" ? [] : [[path, value]];
  }
  return typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, each]) =>
        leaves(each, path === "" ? key : `${path}.${key}`),
      )
    : [];
}
