import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { KubernetesComponent } from "../provider/config/flags/componentTable";
import type { ComponentRow, GateOfRelease } from "./componentTable";
import { goCommand } from "./goCommand";
import { GO_ENVIRONMENT, prepareKubernetes } from "./kubernetesModule";
import { paths } from "./paths";

/** The components, by the build tags of `scripts/componentFlags`. */
const COMPONENTS: readonly KubernetesComponent[] = [
  ...(["apiServer", "controllerManager", "scheduler", "kubelet", "proxy"] as const),
];

/** Where commands of old releases take over flags that other packages define for all programs. */
const GLOBAL_FLAGS: Partial<Readonly<Record<KubernetesComponent, string>>> = {
  apiServer: "cmd/kube-apiserver/app/options",
  controllerManager: "cmd/kube-controller-manager/app",
};

/**
 * Compiles the code that defines the flags and gates of a Kubernetes release, once for each component,
 * and runs it. It takes some minutes for a release of which Go has compiled nothing yet.
 *
 * @param release `v1.37.2`
 * @param say is told of each component
 * @throws Error with the end of Go's output
 */
export async function readComponents(
  release: string,
  say: (line: string) => void,
): Promise<ComponentRow> {
  const workspace = await mkdtemp(join(tmpdir(), "component-flags-"));
  try {
    const folder = await prepareKubernetes(release, workspace);
    await cp(join(paths.root, "scripts/componentFlags"), workspace, { recursive: true });
    const read: (readonly [KubernetesComponent, Told])[] = [];
    for (const component of COMPONENTS) {
      say(`${release}: ${component}`);
      const told = await goCommand(["run", "-ldflags", "-s -w", "-tags", component, "."], {
        cwd: workspace,
        environment: GO_ENVIRONMENT,
      });
      const { flags, featureGates } = JSON.parse(told) as Told;
      const globals = await globalFlags(folder, component);
      read.push([component, { flags: { ...globals, ...flags }, featureGates }]);
    }
    const flags = read.map(([component, told]) => [component, sorted(told.flags)]);
    return {
      release,
      flags: Object.fromEntries(flags) as ComponentRow["flags"],
      featureGates: sorted(gatesOf(read)),
    };
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}

/** What the Go program prints. */
type Told = Pick<ComponentRow, "featureGates"> & {
  readonly flags: Readonly<Record<string, string>>;
};

/** Components share their gates, but for a few that only some define. */
function gatesOf(
  read: readonly (readonly [KubernetesComponent, Told])[],
): Record<string, GateOfRelease> {
  const all = Object.assign(
    {},
    ...read.map(([, told]) => told.featureGates),
  ) as Told["featureGates"];
  const gates = Object.entries(all).map(([name, { default: standard, locked }]) => {
    const without = read
      .filter(([, { featureGates }]) => !(name in featureGates))
      .map(([component]) => component);
    return [name, { default: standard, locked, ...(without.length > 0 && { without }) }] as const;
  });
  return Object.fromEntries(gates);
}

async function globalFlags(
  folder: string,
  component: KubernetesComponent,
): Promise<Record<string, string>> {
  const place = GLOBAL_FLAGS[component];
  const files = place === undefined ? [] : await readdir(join(folder, place));
  const texts = files
    .filter((file) => file.endsWith(".go") && !/_(?:test|providerless)\.go$/.test(file))
    .map((file) => readFile(join(folder, place ?? "", file), "utf8"));
  const names = (await Promise.all(texts)).flatMap((text) => [
    ...text.matchAll(/globalflag\.Register\([^"]*(?:"generic"\), )?"([\w-]+)"\)/g),
  ]);
  return Object.fromEntries(names.map(([, name = ""]) => [name, "string"]));
}

function sorted<T>(record: Readonly<Record<string, T>>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)));
}
