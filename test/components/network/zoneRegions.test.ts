import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { Network, type NetworkArgs } from "../../../components";
import { areZonesInRegion } from "../../../components/network/areZonesInRegion";
import { checkZoneRegions } from "../../../components/network/checkZoneRegions";
import { dynamicType } from "../../../provider/engine/talosTypes";
import { build } from "../mockedGraph";

const elsewhere = { zones: ["eu-central-1a", "us-east-1b"] };
const adopted: Pick<NetworkArgs, "adopt"> = {
  adopt: { vpcId: "vpc-1", publicSubnetIds: { "eu-central-1a": "subnet-1" } },
};

/** The network in the preview of a program that the mocked AWS serves in us-east-1. */
async function inPreview(choices: Partial<NetworkArgs>, isExplicit = false) {
  const told = vi.spyOn(pulumi.log, "error").mockResolvedValue();
  const asked: string[] = [];
  try {
    await build(
      () => {
        const provider = isExplicit
          ? new aws.Provider("other", { region: "us-east-1" })
          : undefined;
        return new Network(
          "net",
          { clusterName: "prod", ...choices },
          provider && { providers: [provider] },
        );
      },
      {
        preview: true,
        calls: {
          "aws:ec2/getVpc:getVpc": ({ id }) => {
            asked.push(String(id));
            return {};
          },
        },
      },
    );
    return { asked, told: told.mock.calls.map(([text]) => text) };
  } finally {
    told.mockRestore();
  }
}

/** What an update is refused for, and whether what waits for the region goes on. */
async function inUpdate(choices: Pick<NetworkArgs, "zones">) {
  let goesOn = false;
  const { graph } = await build(() => {
    const parent = new pulumi.ComponentResource("talos-aws:index:Network", "net");
    areZonesInRegion(choices, parent).apply(() => (goesOn = true));
  });
  const refused = graph.ofType(dynamicType("ImmutableArguments"));
  return { goesOn, refused: refused.flatMap(({ inputs }) => inputs.refusals as string[]) };
}

describe("zones of another region than the AWS provider's", () => {
  const problem = `zones[0]: "eu-central-1a" is in the region "eu-central-1", and AWS is asked in "us-east-1": name zones of "us-east-1", or run "pulumi config set aws:region eu-central-1"`;

  it("fail a preview, with both regions and the way out", async () => {
    const { told } = await inPreview({ zones: ["eu-central-1a"] });
    expect(told).toEqual([problem]);
  });

  it("fail an update, and nothing goes on that waits for the region", async () => {
    expect(await inUpdate({ zones: ["eu-central-1a"] })).toEqual({
      goesOn: false,
      refused: [problem],
    });
    expect(await inUpdate({ zones: ["us-east-1a"] })).toEqual({ goesOn: true, refused: [] });
  });

  it("fail adopted networks, of which AWS is then not asked", async () => {
    const { told, asked } = await inPreview(adopted);
    expect(told).toEqual([
      `adopt.${problem.replace("zones[0]", `publicSubnetIds["eu-central-1a"]`)}`,
    ]);
    expect(asked).toEqual([]);
  });

  it("name an explicit provider, which has a region of its own", async () => {
    const { told } = await inPreview({ zones: ["eu-central-1a"] }, true);
    expect(told).toEqual([
      expect.stringMatching(
        /and the given AWS provider works in "us-east-1": .*, or give it the region "eu-central-1"$/,
      ),
    ]);
  });

  it("name the setting that says so, and each zone", () => {
    const chosen = { region: "us-east-1", by: "aws:region" } as const;
    expect(checkZoneRegions({ ...elsewhere, ...adopted }, chosen)).toEqual([
      {
        property: "zones[0]",
        reason: `"eu-central-1a" is in the region "eu-central-1", and aws:region is "us-east-1": name zones of "us-east-1", or run "pulumi config set aws:region eu-central-1"`,
      },
      {
        property: `adopt.publicSubnetIds["eu-central-1a"]`,
        reason: expect.stringContaining(`"us-east-1"`) as string,
      },
    ]);
  });
});
