import type { EngineEvent, Stack } from "@pulumi/pulumi/automation";
import { stringify } from "yaml";
import { renderMarkdown, renderText, summarize } from "../../preview";
import { planCost } from "../../preview/resourceCost";
import { unlikePreview } from "../preview/unlikePreview";
import { ageCertificates } from "./support/ageCertificates";
import { type EngineWorld, startEngineWorld } from "./support/engineWorld";
import { plannedSteps } from "./support/plannedSteps";
import { formsOf, secretsIn } from "./support/secretForms";
import { seeRun } from "./support/seeRun";

type Settings = Readonly<Record<string, unknown>>;

const STACK = "sandbox";
const REGION = "us-east-1";
const worker = { machineCount: 1, instanceType: "t3.small" };
const threeMachines = { machineCount: 3, instanceType: "t3.medium" };
const standard: Settings = {
  domain: "talos.internal",
  operatorCidrs: ["127.0.0.0/8"],
  dns: { createZone: true },
  talosVersion: "v1.12.0",
  versionContract: "v1.12",
  kubernetesVersion: "v1.34.0",
  network: { zones: ["us-east-1a"] },
  workerPools: { apps: worker },
  // What a machine is after a while is what other tests look at.
  applySettledSeconds: 0,
};

/** A change, or several that are about other resources or other machines. */
interface Change {
  /** What is set anew. Default: nothing. */
  readonly settings?: Settings;
  /** How many days after the change before this one is. Default: 0. */
  readonly days?: number;
  /** Whether the Markdown of its summary is looked at too. Default: false. */
  readonly markdown?: boolean;
  /** In what `up` differs from the preview all the same. Default: in nothing. */
  readonly differences?: readonly string[];
  /** What the preview warns of, and beside how many resources; the start of each. Default: nothing. */
  readonly warnings?: Readonly<Record<string, number>>;
}

const proxy = "http://proxy.talos.internal:3128";

/** One after the other; each starts from what the one before it left. */
const changes: Readonly<Record<string, Change>> = {
  "the first creation": {},
  "a sysctl, more ranges that operators come from, an API that is open to the world, and another worker":
    {
      settings: {
        machineConfiguration: { sysctls: { "net.core.somaxconn": "65535" } },
        operatorCidrs: ["127.0.0.0/8", "10.9.0.0/16"],
        allowWorldToKubernetesApi: true,
        workerPools: { apps: { ...worker, machineCount: 2 } },
      },
      markdown: true,
    },
  "a worker less, and three control plane machines instead of one": {
    settings: { workerPools: { apps: worker }, controlPlane: threeMachines },
  },
  "a configuration that machines reboot for": {
    settings: {
      patches: [{ machine: { env: { HTTPS_PROXY: proxy } } }],
      workers: { patches: [{ machine: { env: { HTTPS_PROXY: proxy } } }] },
    },
    markdown: true,
  },
  "a larger type of control plane machines": {
    settings: { controlPlane: { ...threeMachines, instanceType: "t3.large" } },
  },
  "another zone for a control plane machine": {
    settings: {
      network: { zones: ["us-east-1a", "us-east-1b"] },
      controlPlane: {
        ...threeMachines,
        instanceType: "t3.large",
        machines: { "2": { zone: "us-east-1b" } },
      },
    },
    markdown: true,
    // A preview doesn't know yet that the new machine runs what the former one did.
    differences: [
      "said, and not done: update ClusterHealth sandbox-health of TalosCluster sandbox (controlPlaneNodes, triggers)",
      "done, and not said: update ClusterHealth sandbox-health of TalosCluster sandbox (controlPlaneNodes)",
    ],
  },
  "another version of Kubernetes": {
    settings: { kubernetesVersion: "v1.35.0" },
  },
  "another version of Talos, and a tag": {
    settings: { talosVersion: "v1.12.1", tags: { team: "platform" } },
  },
  "a pool that goes, and certificates near their end": { settings: { workerPools: {} }, days: 300 },
  "one control plane machine instead of three": {
    settings: { controlPlane: { machineCount: 1, instanceType: "t3.large" } },
  },
};

// One cluster's life: each test goes on where the one before it ended.
describe("the summary of a preview, and what up then does", () => {
  let world: EngineWorld;
  let settings = standard;
  let { after: cost } = planCost([]);
  const told: string[] = [];

  const open = (region = REGION): Promise<Stack> => {
    const own = Object.entries(settings).map(
      ([key, value]) => [`talos-aws:${key}`, value] as const,
    );
    const written = stringify({ config: { "aws:region": REGION, ...Object.fromEntries(own) } });
    return world.withSettings(written.replaceAll(REGION, region));
  };
  const preview = async (stack: Stack) => {
    const events: EngineEvent[] = [];
    await stack.preview({ onEvent: (event) => events.push(event) });
    const warned = events.flatMap(({ diagnosticEvent: told }) =>
      told?.severity === "warning" && told.urn?.includes("ConfigurationApply") === true
        ? [told.message.replaceAll(/<\{%.*?%\}>/g, "")]
        : [],
    );
    return { summary: summarize({ stack: STACK, events }), warned };
  };

  beforeAll(async () => {
    world = await startEngineWorld({ stack: STACK });
  });

  afterAll(async () => {
    await world.close();
  });

  it("has the prices of the stack's region, before anything is made", async () => {
    const { cost } = (await preview(await open("eu-central-1"))).summary;
    expect(cost.regions).toEqual(["eu-central-1"]);
    expect(cost.after.unpriced).toEqual([]);
    expect(cost.after.usd).toBeGreaterThan(50);
  });

  it.each(Object.entries(changes))(
    "are the same for %s",
    async (
      _,
      { settings: change = {}, days = 0, markdown = false, differences = [], warnings = {} },
    ) => {
      settings = { ...settings, ...change };
      const stack = await open();
      if (days > 0) {
        await ageCertificates(stack, days);
      }
      const { summary, warned } = await preview(stack);
      for (const [start, count] of Object.entries(warnings)) {
        expect(warned.filter((text) => text.startsWith(start))).toHaveLength(count);
      }
      expect(warned).toHaveLength(Object.values(warnings).reduce((sum, count) => sum + count, 0));
      const texts = [renderText(summary), ...(markdown ? [renderMarkdown(summary)] : [])];
      told.push(...texts, JSON.stringify(summary));
      texts.forEach((text) => {
        expect(text).toMatchSnapshot();
      });
      expect(summary.cost.before).toEqual(cost);
      cost = summary.cost.after;
      const found = unlikePreview(summary, await seeRun(world, stack));
      expect([...found].sort()).toEqual([...differences].sort());
    },
  );

  it("leave nothing to do", async () => {
    expect(await plannedSteps(await open(), world.record)).toEqual([]);
  });

  it("refuse a misspelt instance type, for which AWS would stop a machine and not start it again", async () => {
    settings = { ...settings, controlPlane: { machineCount: 1, instanceType: "t3.lareg" } };
    await expect((await open()).preview()).rejects.toThrow(
      `controlPlane.instanceType: EC2 has no instance type "t3.lareg" in ${REGION}: did you mean "t3.large"?`,
    );
  });

  it("tell no secret", () => {
    const secrets = world.emulator
      .nodes()
      .flatMap(({ machineConfiguration = "" }) => secretsIn(machineConfiguration));
    expect(secrets.length).toBeGreaterThanOrEqual(9);
    const leaks = secrets.filter(({ value }) =>
      formsOf(value).some((form) => told.some((text) => text.includes(form))),
    );
    expect(leaks.map(({ name }) => name)).toEqual([]);
  });
});
