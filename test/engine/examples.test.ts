import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CreateHostedZoneCommand, Route53Client } from "@aws-sdk/client-route-53";
import type { Emulator } from "../../emulator";
import { startEngineWorld } from "./support/engineWorld";

const root = join(__dirname, "../..");

describe("examples/quickstart", () => {
  it("is the program in the README", () => {
    const program = readFileSync(join(root, "examples/quickstart/index.ts"), "utf8");
    expect(readFileSync(join(root, "README.md"), "utf8")).toContain(program);
  });

  it("brings a cluster up in an account that has its domain", async () => {
    const world = await startEngineWorld({
      stack: "quickstart",
      program: () => Promise.resolve(jest.requireActual("../../examples/quickstart")),
      settings: "config: { aws:region: eu-central-1 }",
      prepare: (emulator) => makeHostedZone(emulator, "example.com"),
    });
    try {
      const { outputs } = await world.stack.up(world.record);
      expect(outputs.endpoint?.value).toBe("https://k8s.demo.example.com:6443");
      expect(outputs.kubeconfig?.secret).toBe(true);
      expect(world.emulator.nodes().map(({ stage, zone }) => [stage, zone])).toEqual(
        expect.arrayContaining([
          ["running", "eu-central-1a"],
          ["running", "eu-central-1b"],
          ["running", "eu-central-1c"],
        ]),
      );
      await world.stack.destroy(world.record);
      expect(world.emulator.nodes()).toEqual([]);
    } finally {
      await world.close();
    }
  }, 240_000);
});

async function makeHostedZone(emulator: Emulator, name: string): Promise<void> {
  const client = new Route53Client({
    region: emulator.region,
    endpoint: emulator.url,
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  });
  await client.send(new CreateHostedZoneCommand({ Name: name, CallerReference: name }));
  client.destroy();
}
