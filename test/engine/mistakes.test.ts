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

describe("mistakes, by the real engine", () => {
  let folder: string;
  let listener: Server;
  let stack: Stack;
  let bundle: SecretsBundle;
  let connections = 0;
  /** What the program does when it is run next. */
  let mistake: Mistake;
  /** Whether it has something of AWS too. */
  let hasNetwork = true;

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
          if (hasNetwork) {
            new aws.ec2.Vpc("network", { cidrBlock: "10.0.0.0/16" });
          }
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
    "$name: every problem is told by a preview, and nothing contacted",
    (made) => expectRefusal(made, "preview"),
    30_000,
  );

  // of an input, and of what comes of all of them
  const withoutPreview = ["several wrong inputs", "a misspelt key, a wrong type and a wrong word"];

  it.each(mistakes.filter(({ name }) => withoutPreview.includes(name)))(
    "$name: every problem is told by an update without a preview too",
    async (made) => {
      hasNetwork = false;
      await expectRefusal(made, "up");
    },
    30_000,
  );

  async function expectRefusal(made: Mistake, operation: "preview" | "up"): Promise<void> {
    mistake = made;
    const output = await refusal(operation);
    for (const told of made.told) {
      // the engine names the input elsewhere
      expect(output).toContain(told.slice(told.indexOf(": ") + 2));
    }
    for (const secret of secretValues(bundle)) {
      expect(output).not.toContain(secret);
    }
    expect(connections).toBe(0);
  }

  /** All that the engine says to a program that can't be. */
  async function refusal(operation: "preview" | "up"): Promise<string> {
    const parts: string[] = [];
    try {
      await stack[operation]({ onOutput: (text) => parts.push(text), color: "never" });
    } catch (error) {
      return `${parts.join("")}\n${String(error)}`;
    }
    throw new Error(`the ${operation} went through`);
  }
});
