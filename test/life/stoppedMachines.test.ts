import type { EngineEvent } from "@pulumi/pulumi/automation";
import {
  describeChangedMachines,
  findChangedMachines,
  needsRefresh,
} from "../../cli/engine/changedMachines";
import { readEc2States } from "../../cli/status/ec2States";
import { expectDocumented } from "../documented";
import { ControlPlaneLife, controlPlaneAlone } from "../engine/support/controlPlaneLife";
import { lifeSteps } from "../engine/support/lifeSteps";
import { type StoredResource, storedResources } from "../engine/support/storedResources";
import { startMachine, stopMachine } from "../engine/support/terminateMachine";

const apps = { machineCount: 1, instanceType: "t3.medium" };
const [FIRST, SECOND, WORKER] = ["c-control-plane-1", "c-control-plane-2", "c-apps-1"];

// One cluster's life: each test goes on where the one before it ended. Nothing but the machines' own
// addresses leads to them.
describe("a cluster whose machines are stopped, by the real engine", () => {
  const step = lifeSteps();
  let life: ControlPlaneLife;

  beforeAll(async () => {
    life = await ControlPlaneLife.start({
      ...controlPlaneAlone,
      exposure: "direct",
      network: { zones: ["us-east-1a"] },
      controlPlane: { machineCount: 3 },
      workerPools: { apps },
    });
  });

  afterAll(() => life.world.close());

  step("goes on with a stopped worker, whose rule admits nobody else", async () => {
    await stopMachine(life.world, await idOf(WORKER));
    await life.world.stack.refresh(life.world.record);
    expect(await life.preview()).toEqual([`update SecurityGroupIngressRule ${WORKER}-to-api`]);
    life.args = { ...life.args, tags: { team: "shop" } };
    const steps = await life.up();
    expect(steps).toContain(`update Instance ${WORKER}`);
    const stored = await storedResources(life.world.stack);
    expect(brokenAddresses(stored)).toEqual([]);
    const rule = stored.find(({ urn }) => urn.endsWith(`::${WORKER}-to-api`));
    expect(rule?.inputs?.cidrIpv4).toMatch(/^10\..*\/32$/);
    expect(await life.preview()).toEqual([]);
  });

  step("refuses a change of the stopped worker at once, and says how to start it", async () => {
    const { args } = life;
    life.args = { ...args, workerPools: { apps: { ...apps, labels: { tier: "apps" } } } };
    const instanceId = await idOf(WORKER);
    const refusal = `${WORKER} (${instanceId}) is stopped in EC2, and this step needs it. Start it with "aws ec2 start-instances --instance-ids ${instanceId}", then run the command again with --refresh.`;
    await expect(life.preview()).rejects.toThrow(refusal);
    await expect(life.up()).rejects.toThrow(refusal);
    life.args = args;
  });

  step("is named by the command line, which need not refresh for it", async () => {
    const instanceId = await idOf(WORKER);
    const found = await changed();
    expect(found.stopped).toEqual([{ name: WORKER, instanceId, state: "stopped" }]);
    expect(needsRefresh(found)).toBe(false);
    expectDocumented("scaling.md", describeChangedMachines(found).join("\n"));
    const states = await readEc2States(life.world.stack, [instanceId, await idOf(FIRST)]);
    expect([...states.values()].sort()).toEqual(["running", "stopped"]);
  });

  step("goes back to what it was when the worker is started", async () => {
    await startMachine(life.world, await idOf(WORKER));
    expect(await changed()).toMatchObject({ moved: [WORKER], stopped: [] });
    await refreshedUp();
    await isAsBefore();
  });

  step("reaches workers by another control plane machine while the first is stopped", async () => {
    const [first = "", second = ""] = await addressesOf(FIRST, SECOND);
    await stopMachine(life.world, await idOf(FIRST));
    await life.world.stack.refresh(life.world.record);
    expect(await life.preview()).toEqual([
      // A preview doesn't know that the configuration stays.
      "update ClusterHealth c-health",
      `update ConfigurationApply ${WORKER}`,
      "update Record c-dns-alias",
      `update SecurityGroupIngressRule ${FIRST}-to-api`,
    ]);
    expect(await life.up()).not.toContain("update ClusterHealth c-health");
    const stored = await storedResources(life.world.stack);
    expect(brokenAddresses(stored)).toEqual([]);
    const inputs = (kind: string, name: string) =>
      stored.find(({ urn }) => urn.endsWith(`:${kind}::${name}`))?.inputs ?? {};
    expect(inputs("ConfigurationApply", WORKER)).toMatchObject({ endpoint: second });
    expect(inputs("ConfigurationApply", FIRST)).toMatchObject({ node: first, endpoint: first });
    expect(inputs("ClientConfiguration", "c-client").endpoints).toContain(first);
    expect(inputs("Record", "c-dns-alias").records).not.toContain(first);
    expect(await life.preview()).toEqual([]);
  });

  step("changes workers meanwhile, and says why the cluster isn't whole", async () => {
    life.args = { ...life.args, workerPools: { apps: { ...apps, labels: { tier: "apps" } } } };
    const steps: string[] = [];
    const up = life.world.stack.up({
      onEvent: ({ resOutputsEvent }: EngineEvent) =>
        steps.push(resOutputsEvent?.metadata.urn.split("::").at(-1) ?? ""),
    });
    await expect(up).rejects.toThrow(
      new RegExp(`c-health-stopped.* ${FIRST} \\(i-\\w+\\) is stopped`),
    );
    expect(steps).toContain(WORKER);
  });

  step("refuses what needs every control plane machine", async () => {
    const { args } = life;
    for (const change of [
      { kubernetesVersion: "v1.35.1" },
      { patches: [{ machine: { env: { GREETING: "hello" } } }] },
    ]) {
      life.args = { ...args, ...change };
      await expect(life.preview()).rejects.toThrow(
        `${FIRST} (${await idOf(FIRST)}) is stopped in EC2`,
      );
    }
    life.args = args;
  });

  step("names what brings etcd's majority back, and is whole again after that", async () => {
    await stopMachine(life.world, await idOf(SECOND));
    const lines = describeChangedMachines(await changed());
    const ids = `${await idOf(FIRST)} ${await idOf(SECOND)}`;
    expect(lines.at(-1)).toBe(
      `etcd has 1 of 3 members running and needs 2, so the Kubernetes API is down. Its data is not lost: start ${FIRST} and ${SECOND} with "aws ec2 start-instances --instance-ids ${ids}"`,
    );
    await startMachine(life.world, await idOf(FIRST));
    await startMachine(life.world, await idOf(SECOND));
    await refreshedUp();
    await isAsBefore();
  });

  const changed = () => findChangedMachines(life.world.stack, new AbortController().signal);

  async function idOf(name: string): Promise<string> {
    return (await life.nodes()).find((node) => node.name === name)?.instanceId ?? "";
  }

  async function addressesOf(...names: string[]): Promise<string[]> {
    const nodes = await life.nodes();
    return names.map((each) => nodes.find(({ name }) => name === each)?.publicAddress ?? "");
  }

  async function refreshedUp(): Promise<void> {
    await life.world.stack.up({ ...life.world.record, refresh: true });
  }

  /** All machines have their public addresses, and nothing is left to change. */
  async function isAsBefore(): Promise<void> {
    await life.runs(4);
    expect(await life.preview()).toEqual([]);
    const stored = await storedResources(life.world.stack);
    expect(brokenAddresses(stored)).toEqual([]);
    const rules = stored.filter(({ urn }) => urn.endsWith("-to-api"));
    const nodes = await life.nodes();
    expect(rules.map(({ inputs }) => inputs?.cidrIpv4).sort()).toEqual(
      nodes.map(({ publicAddress }) => `${publicAddress}/32`).sort(),
    );
  }
});

/** Where a resource has nothing in place of a machine's address. AWS itself tells some as empty. */
function brokenAddresses(stored: readonly StoredResource[]): string[] {
  return stored.flatMap(({ urn, type, inputs, outputs }) =>
    Object.entries({ ...(type.startsWith("aws:") ? {} : outputs), ...inputs })
      .filter(([name]) => /node|endpoint|address|peer|cidr|records/i.test(name))
      .filter(([, value]) => [value].flat().some((each) => each === "" || each === "/32"))
      .map(([name]) => `${urn.split("::").at(-1) ?? ""}.${name}`),
  );
}
