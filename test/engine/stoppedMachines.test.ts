import { TalosCluster } from "../../components";
import { ControlPlaneLife, controlPlaneAlone } from "./support/controlPlaneLife";
import { lifeSteps } from "./support/lifeSteps";
import { startMachine, stopMachine } from "./support/terminateMachine";
import { storedResources } from "./support/storedResources";

void TalosCluster;
describe("explore", () => {
  const step = lifeSteps();
  let life: ControlPlaneLife;
  beforeAll(async () => {
    life = await ControlPlaneLife.start({
      ...controlPlaneAlone,
      exposure: "direct",
      network: { zones: ["us-east-1a"] },
      controlPlane: { machineCount: 3 },
      workerPools: { web: { machineCount: 1, instanceType: "t3.medium" } },
    });
  });
  afterAll(() => life.world.close());
  step("x", async () => {
    const { stack } = life.world;
    const nodes = await life.nodes();
    console.log(nodes);
    const id = (name: string) => nodes.find((n) => n.name === name)?.instanceId ?? "";
    const out = (what: string) => (text: string) => process.stderr.write(`${what}| ${text}`);
    const tryIt = async (what: string, act: () => Promise<unknown>) => {
      const t = Date.now();
      try { await act(); console.log("DONE", what, Date.now() - t); } catch (e) { console.log("FAILED", what, Date.now() - t, String(e).slice(0, 3000)); }
    };
    for (const name of ["c-web-1", "c-control-plane-1"]) {
      await stopMachine(life.world, id(name));
      await tryIt("refresh", () => stack.refresh({}));
      console.log(name, "preview", await life.preview());
      await tryIt("up", () => stack.up({ onOutput: out("up") }));
      console.log(name, "preview", await life.preview());
      const dump = JSON.stringify(await storedResources(stack));
      console.log("empty:", dump.match(/.{80}"\/32".{20}/g), dump.match(/.{60}(node|endpoint|nodes|peers|endpoints|controlPlaneNodes)":(""|\[[^\]]*"").{20}/g));
      const { args } = life;
      life.args = { ...args, workerPools: { web: { machineCount: 1, instanceType: "t3.medium", labels: { a: "b" } } } };
      await tryIt("preview of worker change", () => stack.preview({ onOutput: out("pr") }));
      await tryIt("up of worker change", () => stack.up({ onOutput: out("up") }));
      life.args = { ...args, patches: [{ machine: { env: { A: "b" } } }] };
      await tryIt("preview of all change", () => stack.preview({ onOutput: out("pr") }));
      life.args = { ...args, tags: { more: "tag" } };
      await tryIt("up of tags", () => stack.up({ onOutput: out("up") }));
      life.args = args;
      await startMachine(life.world, id(name));
      await tryIt("up --refresh", () => stack.up({ refresh: true, onOutput: out("up") }));
      console.log(name, "preview", await life.preview());
    }
  });
});
