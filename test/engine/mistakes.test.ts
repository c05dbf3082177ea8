import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import * as aws from "@pulumi/aws";
import type { Stack } from "@pulumi/pulumi/automation";
import { ConfigurationApply, MachineConfiguration } from "../../provider";
import { issueClientCredentials } from "../../provider/pki/clientCredentials";
import type { SecretsBundle } from "../../provider/pki/secretsBundle";
import { openStack } from "../../scripts/openStack";
import { type Mistake, mistakes } from "../provider/config/mistakes";
import { machineConfigurationInputs, secretValues } from "../provider/resources/samples";
import { engineFromEnvironment } from "./support/engineFromEnvironment";
import { readLater } from "./support/readLater";

const root = join(__dirname, "../..");

describe("mistakes, by a preview of the real engine", () => {
  let folder: string;
  let listener: Server;
  let stack: Stack;
  let bundle: SecretsBundle;
  let connections = 0;
  /** What the program does when it is run next. */
  let mistake: Mistake;

  beforeAll(async () => {
    // both AWS and the machines would be here
    listener = createServer((socket) => {
      connections++;
      socket.destroy();
    });
    listener.listen(0, "127.0.0.1");
    await once(listener, "listening");
    const { port } = listener.address() as AddressInfo;

    const { secretsBundle, ...inputs } = await machineConfigurationInputs();
    bundle = secretsBundle;
    const credentials = await issueClientCredentials(bundle.certs.os, {
      roles: ["os:admin"],
      now: new Date(),
      lifetimeHours: 1,
    });
    await mkdir(join(root, ".cache/test"), { recursive: true });
    folder = await mkdtemp(join(root, ".cache/test/mistakes-"));
    stack = readLater(
      await openStack({
        stack: "local",
        program: () => {
          new aws.ec2.Vpc("network", { cidrBlock: "10.0.0.0/16" });
          const { machineConfiguration } = new MachineConfiguration("machine", {
            ...inputs,
            secretsBundle,
            ...mistake.given,
          });
          new ConfigurationApply("machine", {
            machineId: "i-0123456789abcdef0",
            node: `127.0.0.1:${port}`,
            credentials,
            machineConfiguration,
          });
          return Promise.resolve({});
        },
        engine: await engineFromEnvironment(),
        stateDir: folder,
        environment: {
          AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
          AWS_ACCESS_KEY_ID: "none",
          AWS_SECRET_ACCESS_KEY: "none",
          AWS_REGION: "us-east-1",
          AWS_EC2_METADATA_DISABLED: "true",
        },
        pluginDirs: [join(root, "emulator/aws/plugin/bin")],
        settings: "config: {aws:region: us-east-1}",
      }),
    );
  }, 60_000);

  afterAll(async () => {
    listener.close();
    await rm(folder, { recursive: true, force: true });
  });

  it.each(mistakes)(
    "$name: every problem is told, and nothing contacted",
    async (made) => {
      mistake = made;
      const output = await refusal();
      for (const told of made.told) {
        // the engine names the input elsewhere
        expect(output).toContain(told.slice(told.indexOf(": ") + 2));
      }
      for (const secret of secretValues(bundle)) {
        expect(output).not.toContain(secret);
      }
      expect(connections).toBe(0);
    },
    30_000,
  );

  /** All that the engine says to a program that can't be. */
  async function refusal(): Promise<string> {
    const parts: string[] = [];
    try {
      await stack.preview({ onOutput: (text) => parts.push(text), color: "never" });
    } catch (error) {
      return `${parts.join("")}\n${String(error)}`;
    }
    throw new Error("the preview went through");
  }
});
