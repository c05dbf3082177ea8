import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import type { TalosClusterArgs } from "../../../components/cluster/arguments/talosClusterArgs";
import { TalosCluster } from "../../../components/cluster/talosCluster";
import { build } from "../mockedGraph";
import { APPLY, make, talos } from "./clusters";
import { standardCluster } from "./standardCluster";

const CONTACT = talos("FirstContact");
const arnOf = (name: string) => `arn:aws:ec2:us-east-1:123456789012:instance/${name}`;

/** A cluster's contact with its first machine, and the machine's configuration. */
async function firstMachine(
  change: NonNullable<TalosClusterArgs["controlPlane"]> = {},
  optionsOf: () => pulumi.ComponentResourceOptions = () => ({}),
) {
  const { graph } = await build(
    () => new TalosCluster("c", { ...standardCluster, controlPlane: change }, optionsOf()),
    { recorded: ({ name }) => ({ arn: arnOf(name) }) },
  );
  return [CONTACT, APPLY].map((type) => graph.named(type, "c-control-plane-1"));
}

/** What the program warns of. */
async function warningsOf(
  change: NonNullable<TalosClusterArgs["controlPlane"]>,
): Promise<readonly string[]> {
  const warn = vi.spyOn(pulumi.log, "warn").mockResolvedValue();
  try {
    await make({ controlPlane: change });
    await new Promise(setImmediate);
    return warn.mock.calls.map(([line]) => line).filter((line) => line.includes("firstContact"));
  } finally {
    warn.mockRestore();
  }
}

afterEach(() => {
  pulumi.runtime.setAllConfig({});
});

describe("by what a cluster trusts a new control plane machine", () => {
  it("is EC2's console output, unless an argument says otherwise", async () => {
    for (const { inputs, secretInputs } of await firstMachine()) {
      expect(inputs.console).toEqual({ instanceArn: arnOf("c-control-plane-1") });
      // Keys may be in it.
      expect(secretInputs).toContain("console");
    }
  });

  it("is asked for as the stack's AWS provider asks", async () => {
    pulumi.runtime.setAllConfig({
      "aws:profile": "prod",
      "aws:accessKey": "KEY",
      "aws:secretKey": "SECRET",
      "aws:assumeRoles": JSON.stringify([
        { roleArn: "arn:aws:iam::1:role/a", externalId: "x", duration: "1h" },
      ]),
    });
    const [contact] = await firstMachine();
    expect(contact?.inputs.console).toEqual({
      instanceArn: arnOf("c-control-plane-1"),
      profile: "prod",
      assumeRoles: [{ roleArn: "arn:aws:iam::1:role/a", externalId: "x" }],
      keys: { accessKeyId: "KEY", secretAccessKey: "SECRET" },
    });
  });

  it("is asked for as the program's own AWS provider asks", async () => {
    pulumi.runtime.setAllConfig({ "aws:profile": "of the stack" });
    const [contact] = await firstMachine({}, () => ({
      providers: [
        new aws.Provider("own", {
          region: "us-east-1",
          profile: "own",
          assumeRoles: [{ roleArn: "arn:aws:iam::1:role/b", sessionName: "s" }],
        }),
      ],
    }));
    expect(contact?.inputs.console).toEqual({
      instanceArn: arnOf("c-control-plane-1"),
      profile: "own",
      assumeRoles: [{ roleArn: "arn:aws:iam::1:role/b", sessionName: "s" }],
    });
  });

  it("are its fingerprints where they are given", async () => {
    const maintenanceFingerprints = ["A".repeat(43) + "="];
    for (const { inputs } of await firstMachine({
      machines: { "1": { maintenanceFingerprints } },
    })) {
      expect(inputs.maintenanceFingerprints).toEqual(maintenanceFingerprints);
    }
  });

  it("is its first answer on request, with a warning in each run", async () => {
    for (const { inputs } of await firstMachine({ firstContact: "firstAnswer" })) {
      expect(inputs.console).toBeUndefined();
    }
    const maintenanceFingerprints = ["A".repeat(43) + "="];
    expect(
      await warningsOf({
        firstContact: "firstAnswer",
        machines: { "2": { maintenanceFingerprints } },
      }),
    ).toEqual([
      `controlPlane.firstContact is "firstAnswer": when c-control-plane-1 or c-control-plane-3 is new, whoever answers first at its address gets all keys of the cluster`,
    ]);
    expect(await warningsOf({})).toEqual([]);
    expect(await warningsOf({ firstContact: "firstAnswer", delivery: "userData" })).toEqual([]);
  });

  it("is nothing else", async () => {
    await expect(make({ controlPlane: { firstContact: "luck" as "console" } })).rejects.toThrow(
      'controlPlane.firstContact: "luck" can\'t be chosen: take one of console, firstAnswer',
    );
  });
});
