import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { MachineType } from "../../../provider/config/machineBasics";
import type { MachineConfigInput } from "../../../provider/config/machineConfigInput";
import type { SecretsBundle } from "../../../provider/pki/secretsBundle";
import { goldenFolder, newerGoldenFolder, options } from "./golden";
import { fillPlaceholders, placeholderBundle } from "./placeholders";

/** A recorded run that made configurations of options alone, without patches. */
export interface GoldenGeneration {
  readonly name: string;
  /** The options as they are given here. */
  readonly input: Omit<MachineConfigInput, "machineType">;
  /** What was written for each type of machine; undefined when the options were refused. */
  readonly expected: Readonly<Record<MachineType, string>> | undefined;
}

/** The recorded runs of `talosctl gen config` v1.12.1, and of the generator of machinery v1.13.9. */
export function goldenGenerations(): GoldenGeneration[] {
  return generationsIn(goldenFolder, DEFAULTS);
}

/**
 * The recorded runs of `talosctl gen config` v1.14.1. Documents contain certificates as texts, so the
 * placeholders are filled.
 */
export function newerGenerations(): GoldenGeneration[] {
  const fill = <Value>(value: Value): Value =>
    JSON.parse(fillPlaceholders(JSON.stringify(value))) as Value;
  return generationsIn(newerGoldenFolder, NEWER_DEFAULTS).map(({ name, input, expected }) => ({
    name,
    input: { ...input, secretsBundle: fill<SecretsBundle>(input.secretsBundle) },
    expected: expected && {
      controlplane: fillPlaceholders(expected.controlplane),
      worker: fillPlaceholders(expected.worker),
    },
  }));
}

/** What a talosctl takes that gets no option. */
interface Defaults {
  readonly versionContract: string;
  readonly talosVersion: string;
  readonly kubernetesVersion: string;
  readonly installerImage: string;
}

const DEFAULTS: Defaults = {
  versionContract: "v1.12",
  talosVersion: "v1.12.1",
  kubernetesVersion: "1.35.0",
  installerImage: "ghcr.io/siderolabs/installer:v1.12.1",
};

const NEWER_DEFAULTS: Defaults = {
  versionContract: "v1.14",
  talosVersion: "v1.14.1",
  kubernetesVersion: "1.37.0",
  installerImage:
    "factory.talos.dev/metal-installer/376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba:v1.14.1",
};

function generationsIn(folder: string | undefined, defaults: Defaults): GoldenGeneration[] {
  return folders(folder).flatMap(({ name, path }): GoldenGeneration[] => {
    const recorded = JSON.parse(readFileSync(join(path, "case.json"), "utf8")) as Recorded;
    const input = inputOf(recorded, defaults);
    if (input === undefined) {
      return [];
    }
    if (recorded.exit !== 0) {
      return [{ name, input, expected: undefined }];
    }
    // a run for one type alone wrote no files of these names
    if (!existsSync(join(path, "worker.yaml"))) {
      return [];
    }
    const [controlplane = "", worker = ""] = ["controlplane", "worker"].map((type) =>
      readFileSync(join(path, `${type}.yaml`), "utf8"),
    );
    return [{ name, input, expected: { controlplane, worker } }];
  });
}

/** `case.json` of a run of talosctl, or of the generator. */
type Recorded =
  | {
      readonly exit: number;
      readonly generator?: undefined;
      readonly command?: readonly string[] | string;
    }
  | {
      readonly exit: number;
      /** `machinery v1.13.9`. */
      readonly generator: string;
      readonly cluster: string;
      readonly endpoint: string;
      readonly versionContract: string;
      readonly kubernetesVersion: string;
      readonly installDisk: string;
      readonly installImage: string;
    };

function inputOf(recorded: Recorded, defaults: Defaults): GoldenGeneration["input"] | undefined {
  if (recorded.generator !== undefined) {
    return {
      clusterName: recorded.cluster,
      endpoint: recorded.endpoint,
      secretsBundle: placeholderBundle,
      versionContract: recorded.versionContract,
      talosVersion: recorded.generator.replace(/^\S+ /, ""),
      kubernetesVersion: recorded.kubernetesVersion,
      installDisk: recorded.installDisk,
      installerImage: recorded.installImage,
    };
  }
  const { command } = recorded;
  if (
    typeof command !== "object" ||
    command[1] !== "config" ||
    command.some((word) => word.startsWith("--config-patch"))
  ) {
    return undefined;
  }
  return fromCommand(command, defaults);
}

/** The options that the flags of `talosctl gen config` are here, with its own defaults. */
function fromCommand(command: readonly string[], defaults: Defaults): GoldenGeneration["input"] {
  const [, , clusterName = "", endpoint = ""] = command;
  const flag = (name: string): string | undefined => options(command, name)[0];
  return {
    clusterName,
    endpoint,
    secretsBundle: placeholderBundle,
    versionContract: flag("--talos-version") ?? defaults.versionContract,
    talosVersion: defaults.talosVersion,
    kubernetesVersion: flag("--kubernetes-version") ?? defaults.kubernetesVersion,
    installDisk: flag("--install-disk") ?? "/dev/sda",
    installerImage: flag("--install-image") ?? defaults.installerImage,
    certSans: flag("--additional-sans")?.split(","),
    dnsDomain: flag("--dns-domain"),
    kubeSpan: command.includes("--with-kubespan"),
    discovery: !command.includes("--with-cluster-discovery=false"),
    persist: !command.includes("--persist=false"),
    registryMirrors: Object.fromEntries(
      options(command, "--registry-mirror").map((mirror) => {
        const [registry = "", endpointOfMirror = ""] = mirror.split("=");
        return [registry, [endpointOfMirror]];
      }),
    ),
  };
}

function folders(folder: string | undefined): { readonly name: string; readonly path: string }[] {
  return folder === undefined
    ? []
    : readdirSync(folder)
        .map((name) => ({ name, path: join(folder, name) }))
        .filter(({ path }) => existsSync(join(path, "case.json")));
}
