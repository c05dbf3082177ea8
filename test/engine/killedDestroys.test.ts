import type { EngineEvent } from "@pulumi/pulumi/automation";
import { parse, stringify } from "yaml";
import { planStackRepair } from "../../cli/repair/repairStack";
import { type Account, openAccount } from "./support/account";
import { chosenPoints } from "./support/chosenPoints";
import { endPlugins } from "./support/endPlugins";
import { type EngineWorld, localSettings, startEngineWorld } from "./support/engineWorld";
import { killedWhile } from "./support/killedWhile";
import { leftInAccount } from "./support/leftInAccount";
import { lifeSteps } from "./support/lifeSteps";
import { labelOf, storedResources } from "./support/storedResources";

/**
 * At which operations the engine is killed: a few. `KILLED_DESTROYS=all` takes every one of an `up` and of a
 * destroy, which takes a quarter of an hour; a number takes three of each, chosen by that seed.
 */
const MODE = process.env.KILLED_DESTROYS ?? "";

/** The fewest kills of a destroy. What a seed chooses may be deleted side by side. */
const FEWEST = /^\d+$/.test(MODE) ? 1 : 2;
const FEW_OF_UP = ["MachineBootstrap local-bootstrap"];
const FEW_OF_DESTROY = ["Instance local-control-plane-1", "MachineSecrets local-secrets"];

// One account's life: each destroy ends with it as it was before.
describe("a destroy", () => {
  const step = lifeSteps();
  let world: EngineWorld;
  let account: Account;
  let before: readonly string[];
  const operations: string[] = [];

  beforeAll(async () => {
    const { config } = parse(await localSettings()) as { readonly config: object };
    const controlPlane = { machineCount: 1, machines: { "1": { zone: "us-east-1a" } } };
    const settings = stringify({ config: { ...config, "talos-aws:controlPlane": controlPlane } });
    world = await startEngineWorld({ ordinaryEngine: true, settings });
    account = openAccount(world.emulator);
    before = await leftInAccount(account);
  });

  afterAll(async () => {
    account.close();
    await world.close();
  });

  const begins = ({ resourcePreEvent: event }: EngineEvent, operation: string) =>
    event?.metadata.op === operation
      ? labelOf({ urn: event.metadata.urn, type: event.metadata.type })
      : undefined;

  /** As `talos-aws destroy` does it. */
  const destroy = async (options: object = {}) => {
    await repair();
    await world.stack.destroy({ ...world.record, ...options });
  };

  const repair = async () => {
    const { steps, apply } = await planStackRepair(world.stack);
    expect(steps.filter(({ kind }) => kind === "undecided")).toEqual([]);
    await apply({ onOutput: world.record.onOutput, color: "never" });
  };

  /** Runs it again until it was killed at each of these, or at what was done beside one. */
  const killDestroysAt = async (all: readonly string[]) => {
    const points = new Set(all);
    const isMoment = (event: EngineEvent) => points.delete(begins(event, "delete") ?? "");
    let kills = 0;
    while (points.size > 0 && (await storedResources(world.stack)).length > 0) {
      const run = { isEnded: false };
      const destroyToEnd = async (options: object) => {
        await destroy(options);
        run.isEnded = true;
      };
      await killedWhile(destroyToEnd, isMoment, world, endPlugins).catch((error: unknown) => {
        if (!run.isEnded) {
          throw error;
        }
      });
      kills += run.isEnded ? 0 : 1;
    }
    expect(kills).toBeGreaterThanOrEqual(Math.min(all.length, FEWEST));
  };

  const expectNothingLeft = async (point: string) => {
    const left = (await leftInAccount(account)).filter((id) => !before.includes(id));
    const recorded = (await storedResources(world.stack)).map(labelOf);
    expect([point, ...left, ...recorded]).toEqual([point]);
  };

  step("leaves nothing of a killed up", async () => {
    const { stack, record } = world;
    const onEvent = (event: EngineEvent) => {
      const label = begins(event, "create");
      const type = event.resourcePreEvent?.metadata.type ?? "";
      // What has an id in the end; components and the stack have none.
      if (label !== undefined && !type.includes("talos-aws:") && type !== "pulumi:pulumi:Stack") {
        operations.push(label);
      }
    };
    await stack.preview({ ...record, onEvent });
    const points = chosenPoints(MODE, operations, FEW_OF_UP);
    expect(points).not.toEqual([]);
    for (const point of points) {
      const isMoment = (event: EngineEvent) => begins(event, "create") === point;
      const up = (options: object) => stack.up({ ...record, ...options });
      await killedWhile(up, isMoment, world, endPlugins);
      await killDestroysAt(MODE === "" ? FEW_OF_DESTROY : []);
      await destroy();
      await expectNothingLeft(point);
    }
  });

  if (MODE !== "") {
    step("leaves nothing after it was killed at one operation after another", async () => {
      await world.stack.up(world.record);
      // The engine ends before anybody could kill it, where nothing but its own is left.
      const ofCloud = operations.filter((label) => !label.includes("default"));
      await killDestroysAt(chosenPoints(MODE, ofCloud, FEW_OF_DESTROY));
      await destroy();
      await expectNothingLeft("the last");
    });
  }
});
