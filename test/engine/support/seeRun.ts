import type { EngineEvent, Stack } from "@pulumi/pulumi/automation";
import { parseAllDocuments } from "yaml";
import type { ConfigDocument } from "../../../provider";
import { outlineDocuments } from "../../../provider/config/effects/outline";
import { eventually } from "../../emulator/support/eventually";
import type { SeenMachine, SeenRun } from "../../preview/seenRun";
import type { EngineWorld } from "./engineWorld";
import { recordedResources } from "./recordedResources";

/** A machine of the stack as it is. */
interface Machine {
  readonly instanceId: string;
  readonly role: SeenMachine["role"];
  /** What it boots. */
  readonly talosVersion: string | undefined;
  /** The values in its configuration by the keys that lead to them. */
  readonly configuration: ReadonlyMap<string, string>;
}

/** How often it is looked at the machines; they are away for some 200 ms. */
const WATCH_INTERVAL_MS = 5;

/** Brings a stack up, and looks at what that does. */
export async function seeRun(world: EngineWorld, stack: Stack): Promise<SeenRun> {
  const events: EngineEvent[] = [];
  const before = await machinesOf(world, stack);
  const watch = watchNodes(world);
  try {
    await stack.up({
      ...world.record,
      onEvent: (event) => {
        world.record.onEvent(event);
        events.push(event);
      },
    });
    const remaining = await machinesOf(world, stack);
    const ids = new Set([...remaining.values()].map(({ instanceId }) => instanceId));
    // The emulated machines end a moment after AWS has ended their instances.
    await eventually(() => {
      const gone = [...before.values()].filter(({ instanceId }) => !ids.has(instanceId));
      expect(gone.filter(({ instanceId }) => isThere(world, instanceId))).toEqual([]);
    });
  } finally {
    watch.stop();
  }
  const after = await machinesOf(world, stack);
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return {
    events,
    machines: names.flatMap((name) => {
      const [old, now] = [before.get(name), after.get(name)];
      const effect = effectOn(old, now, watch);
      const lines = old?.instanceId === now?.instanceId ? changedLines(old, now) : [];
      const role = (now ?? old)?.role;
      return effect === undefined || role === undefined ? [] : [{ name, role, effect, lines }];
    }),
    controlPlanesBefore: [...before.values()].filter(isControlPlane).length,
    fewestControlPlanes: watch.fewestControlPlanes(),
  };
}

interface Watch {
  /** Ids of machines that were seen rebooting. */
  readonly rebooted: ReadonlySet<string>;
  /** Ids of machines that were seen switched off. */
  readonly off: ReadonlySet<string>;
}

function effectOn(
  old: Machine | undefined,
  now: Machine | undefined,
  { rebooted, off }: Watch,
): SeenMachine["effect"] | undefined {
  if (old === undefined || now === undefined) {
    return old === undefined ? "configured" : "removed";
  }
  if (old.instanceId !== now.instanceId) {
    return "replaced";
  }
  if (off.has(old.instanceId)) {
    return "restart";
  }
  const isLive = changedLines(old, now).length > 0;
  if (old.talosVersion !== now.talosVersion) {
    return "upgrade";
  }
  return rebooted.has(old.instanceId) ? "reboot" : isLive ? "live" : undefined;
}

/** The stack's machines by their names; what they run, they say themselves. */
async function machinesOf(world: EngineWorld, stack: Stack): Promise<Map<string, Machine>> {
  const resources = await recordedResources(world.stateDir, stack.name);
  const nodes = world.emulator.nodes();
  return new Map(
    resources
      .filter(({ type }) => type === "aws:ec2/instance:Instance")
      .map(({ urn, id = "" }): [string, Machine] => {
        const node = nodes.find(({ instanceId }) => instanceId === id);
        const text = node?.machineConfiguration ?? "";
        const configuration = valuesOf(text);
        const isWorker = configuration.get("machine.type") !== '"controlplane"';
        const role = isWorker ? "worker" : "controlplane";
        const { talosVersion } = node ?? {};
        return [
          urn.split("::").at(-1) ?? "",
          { instanceId: id, role, talosVersion, configuration },
        ];
      }),
  );
}

function isThere({ emulator }: EngineWorld, id: string): boolean {
  return emulator.nodes().some(({ instanceId }) => instanceId === id);
}

function isControlPlane({ role }: Machine): boolean {
  return role === "controlplane";
}

function valuesOf(text: string): ReadonlyMap<string, string> {
  const documents = parseAllDocuments(text).map((one) => one.toJS() as ConfigDocument);
  const values = new Map<string, string>();
  const walk = (value: unknown, path: string) => {
    const isMapping = typeof value === "object" && value !== null && !Array.isArray(value);
    if (!isMapping || Object.keys(value).length === 0) {
      values.set(path, JSON.stringify(value));
      return;
    }
    Object.entries(value).forEach(([key, inner]) => {
      walk(inner, path === "" ? key : `${path}.${key}`);
    });
  };
  walk(outlineDocuments(documents), "");
  return values;
}

function changedLines(old: Machine | undefined, now: Machine | undefined): readonly string[] {
  const [before, after] = [old?.configuration, now?.configuration];
  const paths = [...new Set([...(before?.keys() ?? []), ...(after?.keys() ?? [])])];
  return paths
    .filter((path) => before?.get(path) !== after?.get(path))
    .map((path) => `${path}: ${before?.get(path)} → ${after?.get(path)}`)
    .sort();
}

/** Looks all the time which machines reboot, which are switched off, and how many run. */
function watchNodes({ emulator }: EngineWorld) {
  const known = new Set(emulator.nodes().map(({ instanceId }) => instanceId));
  const controlPlanes = (nodes = emulator.nodes()) =>
    nodes.filter(
      ({ stage, machineConfiguration = "" }) =>
        stage === "running" && machineConfiguration.includes("type: controlplane"),
    ).length;
  const rebooted = new Set<string>();
  const off = new Set<string>();
  let fewest = controlPlanes();
  const timer = setInterval(() => {
    const nodes = emulator.nodes();
    const on = new Set(nodes.map(({ instanceId }) => instanceId));
    [...known].filter((id) => !on.has(id)).forEach((id) => off.add(id));
    nodes
      .filter(({ stage }) => stage === "rebooting")
      .forEach(({ instanceId }) => rebooted.add(instanceId));
    fewest = Math.min(fewest, controlPlanes(nodes));
  }, WATCH_INTERVAL_MS);
  return {
    rebooted,
    off,
    fewestControlPlanes: () => fewest,
    stop: () => {
      clearInterval(timer);
    },
  };
}
