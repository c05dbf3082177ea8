import type { Properties } from "../../../cli/properties";
import { findMade } from "../../../cli/sweep/findMade";
import type { RecordedCluster } from "../../../cli/sweep/recordedClusters";

const cluster: RecordedCluster = {
  name: "prod",
  provider: "urn::id",
  region: "eu-central-1",
  vpcIds: ["vpc-1"],
  ownVpcIds: ["vpc-1"],
};

/** AWS' side: what it tells of load balancers' interfaces, which the emulated one has of classic ones alone. */
function askOf(descriptions: Readonly<Record<string, string>>) {
  return (token: string, args: Properties): Promise<Properties> => {
    expect(args.region).toBe("eu-central-1");
    const name = token.split(":").at(-1) ?? "";
    const answers: Readonly<Record<string, () => Properties>> = {
      getNetworkInterfaces: () => ({ ids: Object.keys(descriptions) }),
      getNetworkInterface: () => ({
        description: descriptions[String(args.id)],
        vpcId: "vpc-1",
      }),
      getLoadBalancer: () => {
        if (args.name === "gone") {
          throw new Error("no matching load balancer found");
        }
        return token.startsWith("aws:elb/")
          ? { name: args.name, tags: {} }
          : { arn: `arn:${String(args.name)}`, name: args.name, vpcId: "vpc-1", tags: {} };
      },
    };
    return Promise.resolve(answers[name]?.() ?? {});
  };
}

describe("load balancers that are found by their network interfaces", () => {
  it("include classic and newer ones by name, each once, and no deleted one", async () => {
    const ask = askOf({
      "eni-1": "ELB classic",
      "eni-2": "ELB classic",
      "eni-3": "ELB net/later/0123456789abcdef",
      "eni-4": "ELB gone",
      "eni-5": "somebody's ELB",
    });
    const { things, rules } = await findMade(ask, cluster);
    expect(things.map(({ kind, id, vpcId }) => [kind, id, vpcId])).toEqual([
      ["loadBalancer", "arn:later", "vpc-1"],
      ["classicLoadBalancer", "classic", "vpc-1"],
    ]);
    expect(rules).toEqual([]);
  });

  it("are none if the network is unknown", async () => {
    const { things } = await findMade(askOf({ "eni-1": "ELB classic" }), {
      ...cluster,
      vpcIds: [],
      ownVpcIds: [],
    });
    expect(things).toEqual([]);
  });

  it("are an error if AWS denies the request", async () => {
    const ask = () => Promise.reject(new Error("AccessDenied: not authorized"));
    await expect(findMade(ask, cluster)).rejects.toThrow("AccessDenied");
  });
});
