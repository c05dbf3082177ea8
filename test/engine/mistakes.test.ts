import { once } from "node:events";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer, type Server } from "node:net";
import { join } from "node:path";
import * as aws from "@pulumi/aws";
import type { Stack } from "@pulumi/pulumi/automation";
import { shownStack } from "../../cli/engine/shownStack";
import { ConfigurationApply, MachineConfiguration } from "../../provider";
import { issueClientCredentials } from "../../provider/pki/clientCredentials";
import type { SecretsBundle } from "../../provider/pki/secretsBundle";
import { openStack } from "../../scripts/openStack";
import { type Mistake, mistakes } from "../provider/config/mistakes";
import { machineConfigurationInputs, secretValues } from "../provider/resources/samples";
import { type AttachedPlugins, attachPlugins } from "./support/attachPlugins";
import { engineFromEnvironment } from "./support/engineFromEnvironment";

const root = join(__dirname, "../..");

/** Mistakes of which none keeps another from being told, so one preview tells all of a group. The others need one each. */
const groups: readonly (readonly string[])[] = [
  [
    "an endpoint without TLS",
    "a Kubernetes that this Talos does not run",
    "a contract newer than Talos",
    "networks that overlap",
  ],
  [
    "a misspelt key, a wrong type and a wrong word",
    "a misspelt kind of document",
    "a document of a later Talos",
    "texts that are not YAML, or not a patch",
  ],
  [
    "a document that says too little",
    "a hostname in the old place",
    "two documents for one link",
    "an address that is none",
    "a taint and a label that Kubernetes refuses",
    "a range of services without an address for DNS",
    "a file that Talos can't create",
    "a setting that is Talos' own",
    "a disk selector that selects by nothing known",
  ],
];

describe("mistakes, by the real engine", () => {
  let folder: string;
  let plugins: AttachedPlugins;
  let listener: Server;
  let stack: Stack;
  let bundle: SecretsBundle;
  let connections = 0;
  /** What the program does when it is run next. */
  let given: Mistake["given"];
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
    const environment = {
      AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: "none",
      AWS_SECRET_ACCESS_KEY: "none",
      AWS_REGION: "us-east-1",
      AWS_EC2_METADATA_DISABLED: "true",
    };
    plugins = await attachPlugins(folder, environment);
    stack = shownStack(
      await openStack({
        stack: "local",
        program: () => {
          if (hasNetwork) {
            new aws.ec2.Vpc("network", { cidrBlock: "10.0.0.0/16" });
          }
          const { machineConfiguration } = new MachineConfiguration("machine", {
            ...inputs,
            secretsBundle,
            ...given,
          });
          new ConfigurationApply("machine", {
            machineId: "i-0123456789abcdef0",
            node: "127.0.0.1",
            endpoint: `127.0.0.1:${port}`,
            credentials,
            machineConfiguration,
            timeoutSeconds: 2,
          });
          return Promise.resolve({});
        },
        engine: await engineFromEnvironment(),
        stateDir: folder,
        environment: { ...environment, ...plugins.environment },
        pluginDirs: [join(root, "emulator/aws/plugin/bin")],
        settings: "config: {aws:region: us-east-1}",
      }),
    );
  });

  afterAll(async () => {
    plugins.close();
    listener.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** What previews of groups have told, by the name of the first mistake. */
  const previews = new Map<string, Promise<string>>();

  it.each(mistakes)(
    "$name: a preview reports every problem once, and contacts no machine",
    (made) => {
      const group = groupOf(made);
      const [first = made] = group;
      const told = previews.get(first.name) ?? refusal("preview", group);
      previews.set(first.name, told);
      return expectTold(told, made, group);
    },
  );

  // of an input, and of what comes of all of them
  const withoutPreview = ["several wrong inputs", "a misspelt key, a wrong type and a wrong word"];

  it.each(mistakes.filter(({ name }) => withoutPreview.includes(name)))(
    "$name: an update without a preview also reports every problem once",
    async (made) => {
      hasNetwork = false;
      await expectTold(refusal("up", [made]), made, [made]);
    },
  );

  it("tells at the end what a wait last saw, once, when a machine can't be reached", async () => {
    hasNetwork = false;
    const output = await refusal("up", []);
    const [progress = "", failure = ""] = output.split("CommandFailure: ");
    expect(progress).toContain("waiting for machine 127.0.0.1 to accept its first configuration");
    expect(progress).not.toContain("Diagnostics:");
    expect(failure).toMatch(
      /^machine \(ConfigurationApply\): gave up waiting for machine 127\.0\.0\.1 to .* after 2 s; last seen: Talos node "127\.0\.0\.1" cannot be reached/,
    );
    expect(failure.split("last seen")).toHaveLength(2);
  });

  async function expectTold(
    refused: Promise<string>,
    made: Mistake,
    group: readonly Mistake[],
  ): Promise<void> {
    const output = await refused;
    for (const told of toldAmong(group, made)) {
      // the engine names the input elsewhere
      expect(output.split(told.slice(told.indexOf(": ") + 2))).toHaveLength(2);
    }
    expect(output).not.toMatch(/\$PATH|err\?:|code: -?\d/);
    for (const secret of secretValues(bundle)) {
      expect(output).not.toContain(secret);
    }
    expect(connections).toBe(0);
  }

  /** All that the engine says to a program that can't be. */
  async function refusal(operation: "preview" | "up", made: readonly Mistake[]): Promise<string> {
    given = allOf(made);
    const parts: string[] = [];
    try {
      await stack[operation]({ onOutput: (text) => parts.push(text), color: "never" });
    } catch (error) {
      return `${parts.join("")}\n${String(error)}`;
    }
    throw new Error(`the ${operation} went through`);
  }
});

/** The mistakes that are previewed with one, in the order in which they are made. */
function groupOf({ name }: Mistake): readonly Mistake[] {
  const names = groups.find((group) => group.includes(name)) ?? [name];
  return names.map((other) => {
    const found = mistakes.find((mistake) => mistake.name === other);
    if (found === undefined) {
      throw new Error(`there is no mistake "${other}"`);
    }
    return found;
  });
}

function patchesOf(group: readonly Mistake[]) {
  return group.flatMap(({ given: { patches = [] } }) => patches);
}

/** All that the mistakes of a group give, the patches one after another. */
function allOf(group: readonly Mistake[]): Mistake["given"] {
  const patches = patchesOf(group);
  const inputs = Object.assign({}, ...group.map(({ given }) => given)) as Mistake["given"];
  return { ...inputs, ...(patches.length > 0 && { patches }) };
}

/** What is told of one, with its patches counted from those of the mistakes before it. */
function toldAmong(group: readonly Mistake[], made: Mistake): readonly string[] {
  const before = patchesOf(group.slice(0, group.indexOf(made))).length;
  return made.told.map((text) =>
    text.replaceAll(/patches\[(\d+)\]/g, (_, index) => `patches[${Number(index) + before}]`),
  );
}
