import type { EngineEvent, OpMap, Stack } from "@pulumi/pulumi/automation";
import { parse, stringify } from "yaml";
import { type EngineWorld, localSettings } from "./engineWorld";
import type { LifeStep } from "./lifeSteps";

/** The life of one cluster, which several groups of steps tell one after the other. */
export interface LifeOfCluster {
  readonly step: LifeStep;
  readonly world: () => EngineWorld;
}

/** What an operation of the engine was told to have done, as the summary of its last event has it. */
export function changesOf(
  world: EngineWorld,
  run: (options: { onEvent: (event: EngineEvent) => void }) => Promise<unknown>,
): Promise<OpMap> {
  let changes: OpMap = {};
  const onEvent = (event: EngineEvent) => {
    world.record.onEvent(event);
    changes = event.summaryEvent?.resourceChanges ?? changes;
  };
  return run({ ...world.record, onEvent }).then(() => changes);
}

/** The stack, with a kernel parameter more in every machine's configuration. */
export async function withSysctl(world: EngineWorld, value: string): Promise<Stack> {
  const settings = parse(await localSettings()) as { config: Record<string, unknown> };
  const patches = [
    ...((settings.config["talos-aws:patches"] as unknown[] | undefined) ?? []),
    { machine: { sysctls: { "net.core.somaxconn": value } } },
  ];
  return world.withSettings(
    stringify({ config: { ...settings.config, "talos-aws:patches": patches } }),
  );
}
